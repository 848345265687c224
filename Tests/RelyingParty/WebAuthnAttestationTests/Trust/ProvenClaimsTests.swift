// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct ProvenClaimsTests {
  private static let everything: AttestedClaims = [.authenticatorData, .clientData]

  private static func packed(_ ceremony: CeremonyForm) throws -> CBORTree {
    let key = try TestKey.make("batch")
    return [
      "alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])),
      "x5c": [.bytes(try ceremony.certificate(of: key))],
    ]
  }

  private static func selfSigned(_ ceremony: CeremonyForm) throws -> CBORTree {
    ["alg": -7, "sig": .bytes(try ceremony.key.sign(ceremony.signedBytes[...]))]
  }

  @Test func `none and self attestation prove nothing`() throws {
    let ceremony = try CeremonyForm()
    let none = try ceremony.verify(.none, [:]).provenClaims
    #expect(none.signed.isEmpty)
    #expect(none.vouched.isEmpty)
    let own = try ceremony.verify(.packed, Self.selfSigned(ceremony)).provenClaims
    #expect(own.signed == Self.everything)
    #expect(own.vouched.isEmpty)
  }

  @Test func `a security key proves every claim once it is anchored`() throws {
    var ceremony = try CeremonyForm()
    let anchored = try ceremony.verify(.packed, Self.packed(ceremony)).provenClaims
    #expect(anchored.signed == Self.everything)
    #expect(anchored.vouched == Self.everything)
    ceremony.policy.trustAnchors = TrustAnchors()
    let unanchored = try ceremony.verify(.packed, Self.packed(ceremony)).provenClaims
    #expect(unanchored.signed == Self.everything)
    #expect(unanchored.vouched.isEmpty)
  }

  @Test func `a TPM proves the key, and the model if its certificate names it`() throws {
    let ceremony = try CeremonyForm()
    var form = try TPMStatementForm(ceremony)
    #expect(try ceremony.verify(.tpm, .map(form.members())).provenClaims.vouched == [.publicKey, .clientData])
    form.corruptCertificate = {
      $0.extensions.append(
        CertificatePart.extension([1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]) { $0.writeOctetString(ceremony.aaguid[...]) })
    }
    let named = try ceremony.verify(.tpm, .map(form.members())).provenClaims
    #expect(named.vouched == [.publicKey, .clientData, .aaguid])
    #expect(named.signed == Self.everything)
  }

  @Test func `an Android key store proves the key, but not data that the app wrote`() throws {
    let ceremony = try CeremonyForm()
    let certificate = try ceremony.certificate(of: ceremony.key) {
      $0.extensions.append(KeyDescriptionForm(for: ceremony).extension)
    }
    let outcome = try ceremony.verify(
      .androidKey,
      [
        "alg": -7, "sig": .bytes(try ceremony.key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(certificate)],
      ])
    #expect(outcome.trust.kind == .anchored)
    #expect(outcome.provenClaims.signed == Self.everything)
    #expect(outcome.provenClaims.vouched == [.publicKey, .clientData])
  }

  @Test func `a compound statement proves the claims of its members`() throws {
    var ceremony = try CeremonyForm()
    let tpm = try TPMStatementForm(ceremony).members()
    let members: CBORTree = [
      ["fmt": "packed", "attStmt": try Self.selfSigned(ceremony)], ["fmt": "tpm", "attStmt": .map(tpm)],
    ]
    #expect(try ceremony.verify(.compound, members).provenClaims.vouched == [.publicKey, .clientData])
    ceremony.policy.trustAnchors = TrustAnchors()
    let unanchored = try ceremony.verify(.compound, members).provenClaims
    #expect(unanchored.vouched.isEmpty)
    #expect(unanchored.signed == Self.everything)
  }

  @Test func `claims have the names of WebAuthn`() {
    let claims: AttestedClaims = [.publicKey, .relyingPartyID]
    #expect(claims.description == "publicKey, rpIdHash")
    #expect(AttestedClaims().description == "nothing")
    #expect(Self.everything.names.count == 8)
  }
}
