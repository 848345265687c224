// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct AppleAttestationTests {
  private static let nonceExtension: DERObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]

  private static func statement(
    _ ceremony: CeremonyForm, of key: SigningKey? = nil, nonce: [UInt8]? = nil, tag: UInt32 = 1
  ) throws -> Members {
    let `extension` = CertificatePart.extension(nonceExtension) {
      $0.writeSequence { $0.writeExplicit(tag) { $0.writeOctetString((nonce ?? ceremony.nonce)[...]) } }
    }
    let certificate = try ceremony.certificate(of: key ?? ceremony.key) { $0.extensions.append(`extension`) }
    return ["x5c": .array([.bytes(certificate)])]
  }

  @Test func `the authority certifies the credential key and the nonce`() throws {
    let ceremony = try CeremonyForm()
    let outcome = try ceremony.verify(.apple, .map(Self.statement(ceremony)))
    #expect(outcome.type == .anonymizationCA)
    #expect(outcome.trust.kind == .anchored)
  }

  @Test func `the algorithm member of early devices is ignored`() throws {
    let ceremony = try CeremonyForm()
    let statement = try Self.statement(ceremony).merging(["alg": -7]) { $1 }
    #expect(try ceremony.verify(.apple, .map(statement)).type == .anonymizationCA)
  }

  @Test func `each member is required`() throws {
    let ceremony = try CeremonyForm()
    expectEachMemberIsNeeded(ceremony, .apple, try Self.statement(ceremony), ["x5c"])
  }

  @Test func `a wrong or missing nonce is refused`() throws {
    let ceremony = try CeremonyForm()
    let zero = [UInt8](repeating: 0, count: 32)
    expect(.nonceMismatch) { try ceremony.verify(.apple, .map(Self.statement(ceremony, nonce: zero))) }
    expect(.malformedExtension) { try ceremony.verify(.apple, .map(Self.statement(ceremony, tag: 2))) }
    let plain: CBORTree = ["x5c": [.bytes(try ceremony.certificate(of: ceremony.key))]]
    expect(.missingExtension, "1.2.840.113635.100.8.2") { try ceremony.verify(.apple, plain) }
  }

  @Test func `another key is refused`() throws {
    let ceremony = try CeremonyForm()
    let other = try TestKey.make("another")
    expect(.publicKeyMismatch) { try ceremony.verify(.apple, .map(Self.statement(ceremony, of: other))) }
  }
}
