// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct TrustAnchorsTests {
  private static func statement(
    _ ceremony: CeremonyForm, notAfter: UnixTime = Moment.y2040
  ) throws -> CBORTree {
    let key = try TestKey.make("batch")
    let certificate = try ceremony.certificate(of: key) {
      $0.notAfter = notAfter
      $0.serialNumber = [0x51]
    }
    return ["alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(certificate)]]
  }

  private static func trust(_ ceremony: CeremonyForm, _ anchors: TrustAnchors) throws -> AttestationOutcome.Trust {
    var ceremony = ceremony
    ceremony.policy.trustAnchors = anchors
    return try ceremony.verify(.packed, statement(ceremony)).trust
  }

  @Test func `the narrowest anchors decide alone`() throws {
    let ceremony = try CeremonyForm()
    let (good, other) = ([ceremony.root.certificate], [try TestAuthority.root("Other").certificate])
    let aaguid = try #require(AAGUID(ceremony.aaguid))
    #expect(try Self.trust(ceremony, TrustAnchors()).kind == .unanchored)
    #expect(try Self.trust(ceremony, TrustAnchors(forEverything: good)).kind == .anchored)
    #expect(try Self.trust(ceremony, TrustAnchors(byFormat: [.packed: good], forEverything: other)).kind == .anchored)
    #expect(try Self.trust(ceremony, TrustAnchors(byFormat: [.packed: other], forEverything: good)).kind == .unanchored)
    #expect(try Self.trust(ceremony, TrustAnchors(byFormat: [.packed: []], forEverything: good)).kind == .unanchored)
    #expect(try Self.trust(ceremony, TrustAnchors(byFormat: [.tpm: other], forEverything: good)).kind == .anchored)
    #expect(
      try Self.trust(ceremony, TrustAnchors(byAAGUID: [aaguid: good], byFormat: [.packed: other])).kind == .anchored)
    #expect(
      try Self.trust(ceremony, TrustAnchors(byAAGUID: [aaguid: other], byFormat: [.packed: good])).kind == .unanchored)
    #expect(try Self.trust(ceremony, TrustAnchors(byAAGUID: [.zero: other], forEverything: good)).kind == .anchored)
  }

  @Test func `the reason names what is missing`() throws {
    let ceremony = try CeremonyForm()
    guard case .unanchored(.noAnchorsConfigured) = try Self.trust(ceremony, TrustAnchors()) else {
      Issue.record("another reason")
      return
    }
    let other = TrustAnchors(forEverything: [try TestAuthority.root("Other").certificate])
    guard case .unanchored(.pathRefused(let error)) = try Self.trust(ceremony, other) else {
      Issue.record("another reason")
      return
    }
    #expect(error.code == .certificateUnknownAuthority)
  }

  @Test func `a policy that requires an anchor reports why it is missing`() throws {
    var ceremony = try CeremonyForm()
    ceremony.policy.acceptableTrust = .anchored
    let expired = try Self.statement(ceremony, notAfter: Moment.y2020 + .seconds(1))
    let error = #expect(throws: AttestationError.self) { try ceremony.verify(.packed, expired) }
    #expect(error?.code == .unanchoredNotAcceptable)
    #expect(error?.cryptoError?.code == .certificateExpired)
    ceremony.policy.trustAnchors = TrustAnchors()
    expect(.unanchoredNotAcceptable, "no anchors configured") {
      try ceremony.verify(.packed, Self.statement(ceremony))
    }
  }

  @Test func `a revoked certificate is refused under every policy`() throws {
    var ceremony = try CeremonyForm()
    let statement = try Self.statement(ceremony)
    ceremony.policy.revocationLists = [try ceremony.root.revocationList(of: [0x50])]
    #expect(try ceremony.verify(.packed, statement).trust.kind == .anchored)
    ceremony.policy.revocationLists = [try ceremony.root.revocationList(of: [0x50], [0x51])]
    ceremony.policy.acceptableTrust = .anything
    expect(.certificateRevoked) { try ceremony.verify(.packed, statement) }
  }
}
