// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// The verifier of receipts in Examples/Receipts, opened from a file.
@Suite(.tags(.browser)) struct ReceiptPageTests {
  private static let folder = "\(projectFolder)/Examples/Receipts"

  @Test func `the page accepts a receipt, and refuses a change of any byte`() async throws {
    let receipt = try File.bytes("\(Self.folder)/order.receipt")
    let key = String(decoding: try File.bytes("\(Self.folder)/log.vkey").dropLast(), as: UTF8.self)
    try await Browser.run(BrowserSettings()) { (browser) in
      let page = try await browser.newPage("file://\(Self.folder)/verify.html")
      let found = try await page.text(
        """
        const file = Uint8Array.from(atob('\(Base64.encode(receipt))'), (c) => c.charCodeAt(0));
        const judge = (file, rpId = 'raxx.app') => verify(file, rpId, '\(key)').then((found) => found.path, () => 'refused');
        const words = [await judge(file), await judge(file, 'raxx.example')];
        let accepted = 0;
        for (let place = 0; place < file.length; place += 1) {
          for (const change of [1, 32]) {
            const changed = Uint8Array.from(file);
            changed[place] ^= change;
            if (await judge(changed) !== 'refused') accepted += 1;
          }
        }
        return [...words, accepted].join();
        """)
      #expect(found == "/api/orders,refused,0")
      #expect(page.records.violations == [] && page.records.exceptions == [] && page.records.console == [])
    }
  }
}
