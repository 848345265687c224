// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// A new PIN that meets the policy.
struct NewPIN: Sendable {
  /// The PIN's stored state.
  let state: PINState

  /// Removes the padding and validates the PIN (CTAP 2.3 §6.5.5.5, steps 7 to 12; §6.5.5.6, steps 10 to 15).
  init(padded: SecretBytes, settings: DeviceSettings) throws(CTAPError) {
    state = try padded.withBytes { (padded) throws(CTAPError) in
      // The padded PIN has 64 bytes.
      guard padded.count == Self.paddedByteCount else {
        throw CTAPError(.invalidParameter, "a padded PIN of \(padded.count) bytes")
      }
      // Trailing zeros are padding.
      let pin = padded.prefix(
        (padded.lastIndex { (byte) in byte != 0 } ?? padded.startIndex - 1) - padded.startIndex + 1)
      return try Self.state(of: pin, settings: settings)
    }
  }

  /// Validates a PIN without padding, as the user typed it.
  init(_ pin: SecretBytes, settings: DeviceSettings) throws(CTAPError) {
    state = try pin.withBytes { (pin) throws(CTAPError) in try Self.state(of: pin, settings: settings) }
  }

  /// Returns LEFT(SHA-256(PIN), 16).
  static func hash(of pin: Bytes) -> SecretBytes {
    SecretBytes(Digest.sha256(pin).prefix(hashByteCount))
  }

  /// Validates a PIN and returns its stored state.
  private static func state(of pin: Bytes, settings: DeviceSettings) throws(CTAPError) -> PINState {
    guard pin.count <= DeviceLimits.maximumPINByteCount, let shape = PINShape(utf8: pin) else {
      throw CTAPError(.pinPolicyViolation, "a PIN of 64 bytes, or one that is not UTF-8")
    }
    // The minimum length.
    guard shape.codePointCount >= settings.minimumPINLength else {
      throw CTAPError(.pinPolicyViolation, "fewer code points than \(settings.minimumPINLength)")
    }
    // The complexity policy.
    if settings.enforcesPINComplexity, shape.isTooSimple {
      throw CTAPError(.pinPolicyViolation, "a PIN that is too simple")
    }
    return PINState(hash: hash(of: pin), codePointCount: shape.codePointCount)
  }

  private static let paddedByteCount = 64
  private static let hashByteCount = 16
}
