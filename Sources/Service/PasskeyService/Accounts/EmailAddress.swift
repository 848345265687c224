// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

// Limits
//   254 bytes in total [RFC 5321 §4.5.3.1.3: a path has 256, two of which are its angle brackets]
//   64 bytes before the @ [RFC 5321 §4.5.3.1.1]

/// A validated email address in canonical form, which is the key for finding an account.
///
/// Surrounding white space is removed. The domain is lower-cased; internationalized names must be in their `xn--` form.
/// The local part must be an ASCII dot-atom (RFC 5322) and is lower-cased too. The standard lets a host distinguish
/// `Ada` from `ada`, but no common mail host does, and two accounts that differ only in case would be a trap. Quoted
/// forms, comments, and non-ASCII letters in the local part are rejected, because such letters can look alike.
public struct EmailAddress: Hashable, Sendable {
  /// The address.
  public let text: String

  /// The part after the @.
  public var domain: String { text.lastIndex(of: "@").map { String(text[text.index(after: $0)...]) } ?? "" }

  static let maximumByteCount = 254
  static let maximumLocalPartByteCount = 64

  /// Parses user input.
  ///
  /// - Throws: `account.email-invalid`, with the reason as detail, if the text is not a supported address.
  public init(_ text: String) throws(ServiceError) {
    let bytes = Array(text.utf8).trimmingWhiteSpace.map(Self.lowerCased)
    guard bytes.count <= Self.maximumByteCount else { throw ServiceError(.emailInvalid, "longer than 254 bytes") }
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { throw ServiceError(.emailInvalid, "without an @") }
    let local = bytes[..<at]
    guard 1...Self.maximumLocalPartByteCount ~= local.count, Self.isDotAtom(local) else {
      throw ServiceError(.emailInvalid, "invalid name before the @")
    }
    let domain = String(decoding: bytes[(at + 1)...], as: UTF8.self)
    // An RP ID follows the rules of a lower-case host name.
    guard !domain.isEmpty, (try? RelyingPartyID(domain)) != nil else {
      throw ServiceError(.emailInvalid, "invalid domain after the @")
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether the bytes are atoms separated by single dots (RFC 5322 §3.2.3).
  private static func isDotAtom(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy(isAtomText)
    }
  }

  private static func isAtomText(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: marks.contains(byte)
    }
  }

  private static let marks = [UInt8]("!#$%&'*+-/=?^_`{|}~".utf8)

  private static func lowerCased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}

extension EmailAddress: CustomStringConvertible {
  /// The address.
  public var description: String { text }
}

extension [UInt8] {
  /// The bytes without leading and trailing spaces, tabs and line breaks.
  var trimmingWhiteSpace: ArraySlice<UInt8> {
    let isWhiteSpace: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0d ~= $0 }
    let start = firstIndex { !isWhiteSpace($0) } ?? endIndex
    let end = lastIndex { !isWhiteSpace($0) }.map { $0 + 1 } ?? start
    return self[start..<end]
  }
}
