// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

extension PasskeyUser {
  /// The user as stored: long names are truncated at a code point boundary (WebAuthn §6.4.1), so that every response
  /// fits into a message.
  var truncated: PasskeyUser {
    PasskeyUser(id: id, name: name?.truncatedForStorage, displayName: displayName?.truncatedForStorage)
  }
}

extension String {
  /// The text, truncated at the first code point boundary at or after the stored name length.
  var truncatedForStorage: String {
    guard utf8.count > DeviceLimits.storedNameByteCount else { return self }
    var kept = String.UnicodeScalarView()
    var byteCount = 0
    for scalar in unicodeScalars {
      guard byteCount < DeviceLimits.storedNameByteCount else { break }
      kept.append(scalar)
      byteCount += UTF8.width(scalar)
    }
    return String(kept)
  }
}
