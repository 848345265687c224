// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import TestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes
import WireFormats

@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
struct RegistrationVectorTests {
  @Test func `there are registrations of every format`() throws {
    let cases = try RegistrationCase.load()
    #expect(cases.count > 70)
    let formats: Set = ["none", "packed", "tpm", "android-key", "android-safetynet", "apple", "fido-u2f"]
    #expect(Set(cases.compactMap(\.format)) == formats)
  }

  @Test(arguments: RegistrationCase.all.filter { $0.isAccepted && VectorDivergence.of[$0.id] == nil })
  func `valid registrations are accepted with the expected trust`(_ registration: RegistrationCase) throws {
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

  @Test(arguments: RegistrationCase.all.filter { !$0.isAccepted })
  func `invalid registrations are refused with the expected code`(_ registration: RegistrationCase) throws {
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

  @Test(arguments: RegistrationCase.all.filter { VectorDivergence.of[$0.id] != nil })
  func `each listed divergence exists and has a reason`(_ registration: RegistrationCase) throws {
    let divergence = try #require(VectorDivergence.of[registration.id])
    let error = #expect(throws: AttestationError.self) { try registration.verify(registration.policy) }
    #expect(error?.code == divergence.code)
    guard let relax = divergence.relax else { return }
    var policy = registration.policy
    relax(&policy)
    #expect(try registration.verify(policy).type.rawValue == registration.type)
  }

  @Test(arguments: RegistrationCase.all.filter { $0.isAccepted && $0.anchors != nil })
  func `without its anchors nothing is anchored`(_ registration: RegistrationCase) throws {
    guard VectorDivergence.of[registration.id] == nil else { return }
    let outcome = try registration.verify(AttestationPolicy())
    #expect(outcome.trust.kind == .unanchored)
    var policy = AttestationPolicy()
    policy.trustAnchors = TrustAnchors(forEverything: [])
    policy.acceptableTrust = .anchored
    let error = #expect(throws: AttestationError.self) { try registration.verify(policy) }
    #expect(error?.code == .unanchoredNotAcceptable)
    #expect(error?.cryptoError?.code == .certificateUnknownAuthority)
  }
}
