// SPDX-License-Identifier: Apache-2.0

import WebAuthnTypes
import WireFormats

/// What happens to a server: each is a test of its own, and all of them together show every documented answer.
enum Scenarios {}

extension UserHandle {
  init(base64URL text: String) throws {
    try self.init(Base64URL.decode(text)[...])
  }
}

extension String {
  /// With one text in place of the first of another, and as long as before.
  func replacing(_ text: String, with other: String) -> String {
    guard let range = self.firstRange(of: text) else { return self }
    let end = index(range.lowerBound, offsetBy: other.count)
    return String(self[..<range.lowerBound]) + other + String(self[end...])
  }
}
