// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

extension CreationOptions {
  /// The options with unknown enumeration values treated as absent (§2.1.1).
  var withKnownValues: CreationOptions {
    var options = self
    let kinds: [AuthenticatorAttachment] = [.platform, .crossPlatform]
    if let attachment = authenticatorSelection.authenticatorAttachment, !kinds.contains(attachment) {
      options.authenticatorSelection.authenticatorAttachment = nil
    }
    let residence: [ResidentKeyRequirement] = [.required, .preferred, .discouraged]
    if !residence.contains(authenticatorSelection.residentKey) {
      options.authenticatorSelection.residentKey = .discouraged
    }
    options.authenticatorSelection.userVerification = authenticatorSelection.userVerification.ifKnown
    let attestations: [AttestationConveyancePreference] = [.none, .indirect, .direct, .enterprise]
    if !attestations.contains(attestation) { options.attestation = .none }
    return options
  }
}

extension UserVerificationRequirement {
  /// This value, or the standard's default if the value is unknown.
  var ifKnown: Self {
    [.required, .preferred, .discouraged].contains(self) ? self : .preferred
  }
}
