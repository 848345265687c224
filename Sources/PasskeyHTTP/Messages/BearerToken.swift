// SPDX-License-Identifier: Apache-2.0

extension HTTPHeaders {
  // 4,096 characters  [this server's tokens have 43; foreign tokens fit into the header limit]
  private static let maximumTokenLength = 4_096

  /// The token of `Authorization: Bearer …` (RFC 6750 §2.1); nil if the field is missing, repeated or malformed.
  public var bearerToken: String? {
    // A repeated field is ambiguous: a proxy in front may have checked another value.
    let values = values("authorization")
    guard values.count == 1, let value = values.first else { return nil }
    let scheme = "bearer "
    guard value.prefix(scheme.count).lowercased() == scheme else { return nil }
    let token = QuotedList.trimmed(value.utf8.dropFirst(scheme.utf8.count))
    let characters = token.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
    guard !characters.isEmpty, token.utf8.count <= Self.maximumTokenLength, characters.allSatisfy(Self.isTokenCharacter)
    else { return nil }
    return token
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default:
      "-._~+/".utf8.contains(byte)
    }
  }
}
