// SPDX-License-Identifier: Apache-2.0

import WebAuthnTypes
import WireFormats

/// The scenarios of the endpoint tests. Each is a separate test, and together they produce every documented response.
enum Scenarios {}

extension UserHandle {
  init(base64URL text: String) throws {
    try self.init(Base64URL.decode(text)[...])
  }
}

extension String {
  /// Replaces the first occurrence of a text and keeps the length.
  func replacing(_ text: String, with other: String) -> String {
    guard let range = self.firstRange(of: text) else { return self }
    let end = index(range.lowerBound, offsetBy: other.count)
    return String(self[..<range.lowerBound]) + other + String(self[end...])
  }
}
