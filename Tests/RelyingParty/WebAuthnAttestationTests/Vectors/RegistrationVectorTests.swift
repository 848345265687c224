// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct RegistrationVectorTests {
  @Test func `there are registrations of every format`() throws {
    #expect(RegistrationCase.all.count > 150)
    #expect(Set(RegistrationCase.all.compactMap(\.format)) == Set(AttestationVerifier.formats.map(\.rawValue)))
  }

  @Test(arguments: RegistrationCase.all.filter(\.isAccepted))
  func `valid registrations are accepted with the expected trust, except the listed divergences`(
    _ registration: RegistrationCase
  ) throws {
    if let divergence = VectorDivergence.of[registration.id] {
      return try check(divergence, of: registration)
    }
    let outcome = try registration.verify(registration.policy)
    #expect(outcome.format.rawValue == registration.format)
    #expect(outcome.type.rawValue == registration.type)
    switch outcome.trust {
    case .none: #expect(registration.type == "none")
    case .self: #expect(registration.type == "self")
    case .unanchored(let reason):
      #expect(registration.anchors == nil)
      #expect(reason == .noAnchorsConfigured)
    case .anchored(let root, let path):
      #expect(registration.anchors?.contains(root) == true)
      #expect(path.leaf == outcome.certificates.first)
    }
  }

  /// Expects the error of the divergence, and none under the policy that undoes its reason.
  private func check(_ divergence: VectorDivergence, of registration: RegistrationCase) throws {
    let error = #expect(throws: AttestationError.self) { try registration.verify(registration.policy) }
    #expect(error?.code == divergence.code)
    guard let relax = divergence.relax else { return }
    var policy = registration.policy
    relax(&policy)
    #expect(try registration.verify(policy).type.rawValue == registration.type)
  }

  @Test(arguments: RegistrationCase.all.filter { !$0.isAccepted })
  func `invalid registrations are refused with the expected code`(_ registration: RegistrationCase) throws {
    if let refusal = registration.refusal {
      #expect { try registration.verify(registration.policy) } throws: { VectorDivergence.code(of: $0) == refusal }
      return
    }
    switch VectorDivergence.refusals[registration.id] {
    case .code(let code)?:
      let error = #expect(throws: AttestationError.self) { try registration.verify(registration.policy) }
      #expect(error?.code == code, "\(error.map(\.description) ?? "")")
    case .malformed(let code)?:
      let error = #expect(throws: FormatError.self) { try registration.verify(registration.policy) }
      #expect(error?.wireError?.code == code)
    case .above?:
      #expect(throws: Never.self) { try registration.verify(registration.policy) }
    case nil:
      Issue.record("\(registration.id): no reason is known")
    }
  }

  @Test(
    arguments: RegistrationCase.all.filter {
      $0.isAccepted && $0.anchors != nil && !["none", "self"].contains($0.type)
    })
  func `without its anchors nothing is anchored`(_ registration: RegistrationCase) throws {
    guard VectorDivergence.of[registration.id] == nil else { return }
    let outcome = try registration.verify(AttestationPolicy())
    #expect(outcome.trust.kind == .unanchored)
    var policy = AttestationPolicy()
    policy.trustAnchors = TrustAnchors(forEverything: [])
    policy.acceptableTrust = .anchored
    let error = #expect(throws: AttestationError.self) { try registration.verify(policy) }
    #expect(error?.code == .unanchoredNotAcceptable)
    // A path that only a tolerance permits is refused for what was tolerated.
    guard !registration.id.hasPrefix("attestation-android-chains/") else { return }
    #expect(error?.cryptoError?.code == .certificateUnknownAuthority)
  }
}
