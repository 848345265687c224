// SPDX-License-Identifier: Apache-2.0

/// Requirements for Android keys, besides those of the format (WebAuthn Level 3 §8.4).
///
/// A new value requires nothing. The requirements apply to the statements of secure hardware about the key and the
/// device (`KeyDescription.hardwareAttested`), so a software attestation meets none of them. An attestation that is
/// not anchored can be forged: combine the requirements with ``AttestationPolicy/AcceptableTrust/anchored``.
package struct AndroidKeyRequirements: Hashable, Sendable {
  /// The lowest security level of both the attestation and the key; nil accepts every level.
  package var minimumSecurityLevel: KeyDescription.SecurityLevel?

  /// The accepted results of verified boot; nil accepts every result, and devices that do not report one.
  package var verifiedBootStates: Set<KeyDescription.VerifiedBootState>?

  /// The accepted states of the bootloader.
  package var bootloader = Bootloader.any

  /// The oldest accepted security patch level of Android; nil accepts every level, and devices that do not report one.
  package var minimumOSPatchLevel: KeyDescription.PatchLevel?

  /// The oldest accepted security patch level of the vendor image; nil as for ``minimumOSPatchLevel``.
  package var minimumVendorPatchLevel: KeyDescription.PatchLevel?

  /// The oldest accepted security patch level of the boot image; nil as for ``minimumOSPatchLevel``.
  package var minimumBootPatchLevel: KeyDescription.PatchLevel?

  /// Creates requirements that accept every key.
  package init() {}

  /// The accepted bootloader states.
  package enum Bootloader: Sendable {
    /// Locked, unlocked or not reported.
    case any
    /// Locked.
    case locked
  }

  /// Verifies that a key meets the requirements.
  func require(_ key: KeyDescription) throws(AttestationError) {
    if let minimumSecurityLevel { try key.requireSecurityLevel(minimumSecurityLevel) }
    let attested = key.hardwareAttested
    let boot = attested?.rootOfTrust
    if let verifiedBootStates {
      guard let state = boot?.verifiedBootState, verifiedBootStates.contains(state) else {
        throw AttestationError(
          .androidVerifiedBoot, expected: verifiedBootStates.map(\.rawValue).sorted(),
          received: boot.map { "\($0.verifiedBootState.rawValue)" } ?? "no root of trust")
      }
    }
    if bootloader == .locked, boot?.isDeviceLocked != true {
      throw AttestationError(.androidVerifiedBoot, boot == nil ? "no root of trust" : "the bootloader is unlocked")
    }
    try require(minimumOSPatchLevel, attested?.osPatchLevel, "OS")
    try require(minimumVendorPatchLevel, attested?.vendorPatchLevel, "vendor")
    try require(minimumBootPatchLevel, attested?.bootPatchLevel, "boot")
  }

  private func require(
    _ minimum: KeyDescription.PatchLevel?, _ level: KeyDescription.PatchLevel?, _ part: String
  ) throws(AttestationError) {
    guard let minimum, level.map({ $0 < minimum }) ?? true else { return }
    throw AttestationError(
      .androidPatchLevel, expected: "\(part) patch level \(minimum) or later",
      received: level.map { "\($0)" } ?? "none")
  }
}

extension KeyDescription {
  /// Verifies that the attestation and the key have at least this security level.
  func requireSecurityLevel(_ minimum: SecurityLevel) throws(AttestationError) {
    guard attestationSecurityLevel.isAtLeast(minimum), keyMintSecurityLevel.isAtLeast(minimum) else {
      throw AttestationError(
        .androidSecurityLevel, expected: "level \(minimum.rawValue) or higher",
        received: "attestation level \(attestationSecurityLevel.rawValue), key level \(keyMintSecurityLevel.rawValue)")
    }
  }
}

extension KeyDescription.PatchLevel: CustomStringConvertible {
  /// The level as a date, such as 2024-05 or 2024-05-01.
  package var description: String {
    let parts = [month, day].compactMap(\.self).map { $0 < 10 ? "0\($0)" : "\($0)" }
    return ([String(year)] + parts).joined(separator: "-")
  }
}
