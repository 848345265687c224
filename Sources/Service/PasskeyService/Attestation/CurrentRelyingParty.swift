// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The relying party with the current attestation policy. Newer metadata replace the policy while the service runs.
///
/// Registrations and reassessments read it. Sign-ins verify no attestation, so they use the relying party from the
/// start of the service and never wait for this lock.
final class CurrentRelyingParty: Sendable {
  private let state: Locked<RelyingParty>

  init(_ relyingParty: RelyingParty) {
    state = Locked(relyingParty)
  }

  var value: RelyingParty { state.withLock { $0 } }

  func replaceAttestation(_ policy: AttestationPolicy) {
    state.withLock { $0 = $0.replacing(attestation: policy) }
  }
}
