// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// A PIN that a platform wants to set, found to be one that may be.
struct NewPIN: Sendable {
  /// What is kept of it.
  let state: PINState

  /// Takes a PIN out of its padding (CTAP 2.3 §6.5.5.5, steps 7 to 12; §6.5.5.6, steps 10 to 15).
  init(padded: SecretBytes, settings: DeviceSettings) throws(CTAPError) {
    state = try padded.withBytes { (padded) throws(CTAPError) in
      // The padded PIN has 64 bytes.
      guard padded.count == Self.paddedByteCount else {
        throw CTAPError(.invalidParameter, "a padded PIN of \(padded.count) bytes")
      }
      // Zeros at its end are the padding.
      let pin = padded.prefix(
        (padded.lastIndex { (byte) in byte != 0 } ?? padded.startIndex - 1) - padded.startIndex + 1)
      return try Self.state(of: pin, settings: settings)
    }
  }

  /// Takes a PIN as its user typed it.
  init(_ pin: SecretBytes, settings: DeviceSettings) throws(CTAPError) {
    state = try pin.withBytes { (pin) throws(CTAPError) in try Self.state(of: pin, settings: settings) }
  }

  /// LEFT(SHA-256(PIN), 16).
  static func hash(of pin: Bytes) -> SecretBytes {
    SecretBytes(Digest.sha256(pin).prefix(hashByteCount))
  }

  /// What is kept of a PIN that may be set.
  private static func state(of pin: Bytes, settings: DeviceSettings) throws(CTAPError) -> PINState {
    guard pin.count <= DeviceLimits.maximumPINByteCount, let shape = PINShape(utf8: pin) else {
      throw CTAPError(.pinPolicyViolation, "a PIN of 64 bytes, or one that is not UTF-8")
    }
    // It is not too short.
    guard shape.codePointCount >= settings.minimumPINLength else {
      throw CTAPError(.pinPolicyViolation, "fewer code points than \(settings.minimumPINLength)")
    }
    // It meets what else the device demands.
    if settings.enforcesPINComplexity, shape.isTooSimple { throw CTAPError(.pinPolicyViolation, "too simple a PIN") }
    return PINState(hash: hash(of: pin), codePointCount: shape.codePointCount)
  }

  private static let paddedByteCount = 64
  private static let hashByteCount = 16
}
