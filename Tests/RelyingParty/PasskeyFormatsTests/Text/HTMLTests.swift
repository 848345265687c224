// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing

struct HTMLTests {
  @Test func `characters with a meaning in HTML are escaped`() {
    #expect("<a href='x'>\"&\"</a>".escapedForHTML == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;")
    #expect("Zoë · 1 € \n".escapedForHTML == "Zoë · 1 € \n")
  }

  @Test func `a combining mark does not hide a character`() {
    #expect("<\u{301}b>\u{301}".escapedForHTML == "&lt;\u{301}b&gt;\u{301}")
  }
}
