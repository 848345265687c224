// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The form in which messages and paths name an account.
package enum AccountIDForm: String, Hashable, Sendable, CaseIterable {
  /// The user handle in base64url.
  case base64URL = "base64url"
  /// The user handle, 16 bytes, as the text of a UUID in lower case.
  case uuid

  // The positions of the hyphens in the text of a UUID (RFC 9562 §4).
  private static let hyphens = [8, 13, 18, 23]

  /// Returns the text of a user handle. A handle that is not 16 bytes long has no UUID and is written in base64url.
  package func text(_ handle: some ByteSource) -> String {
    let handle = handle.slice
    guard self == .uuid, handle.count == 16 else { return Base64URL.encode(handle) }
    var text = ""
    for (index, byte) in handle.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += Hex.encode(CollectionOfOne(byte))
    }
    return text
  }

  /// Returns the user handle of a text; nil if it is malformed. Apple's systems write UUIDs in upper case.
  package func handle(_ text: String) -> [UInt8]? {
    switch self {
    case .base64URL: return try? Base64URL.decode(text)
    case .uuid:
      let characters = Array(text.utf8)
      guard characters.count == 36, Self.hyphens.allSatisfy({ characters[$0] == UInt8(ascii: "-") }) else { return nil }
      let digits = characters.filter { $0 != UInt8(ascii: "-") }
      guard digits.count == 32 else { return nil }
      return try? Hex.decode(String(decoding: digits, as: UTF8.self))
    }
  }
}
