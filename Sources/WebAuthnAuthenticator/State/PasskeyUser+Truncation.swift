// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

extension PasskeyUser {
  /// The user as the device keeps it: names longer than the device stores end at the next character's end (WebAuthn
  /// §6.4.1), so that every reply fits into a message.
  var truncated: PasskeyUser {
    PasskeyUser(id: id, name: name?.truncatedForStorage, displayName: displayName?.truncatedForStorage)
  }
}

extension String {
  /// The text, or so much of it as has the length that is always stored, ended at the end of a code point.
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
