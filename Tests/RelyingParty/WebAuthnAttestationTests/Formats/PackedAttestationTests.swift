// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct PackedAttestationTests {
  private static let aaguidExtension: DERObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]

  private static func statement(
    _ ceremony: CeremonyForm, _ algorithm: COSEAlgorithm = .es256, _ corrupt: (inout CertificateForm) -> Void = { _ in }
  ) throws -> Members {
    let key = try TestKey.make("batch", algorithm)
    return [
      "alg": .integer(algorithm.rawValue), "sig": .bytes(try key.sign(ceremony.signedBytes[...])),
      "x5c": .array([.bytes(try ceremony.certificate(of: key, corrupt))]),
    ]
  }

  private static func selfStatement(_ ceremony: CeremonyForm) throws -> Members {
    [
      "alg": .integer(ceremony.key.algorithm.rawValue), "sig": .bytes(try ceremony.key.sign(ceremony.signedBytes[...])),
    ]
  }

  @Test(arguments: [COSEAlgorithm.es256, .es384, .es512, .eddsa, .ed448, .rs256, .ps256])
  func `a batch key attests with any algorithm`(_ algorithm: COSEAlgorithm) throws {
    let ceremony = try CeremonyForm()
    let outcome = try ceremony.verify(.packed, .map(Self.statement(ceremony, algorithm)))
    #expect(outcome.type == .basic)
    guard case .anchored(let root, let path) = outcome.trust else {
      Issue.record("\(outcome.trust)")
      return
    }
    #expect(root == ceremony.root.certificate)
    #expect(path.certificates.count == 2)
  }

  @Test(arguments: [COSEAlgorithm.es256, .es256k, .eddsa, .rs256])
  func `a credential key attests itself`(_ algorithm: COSEAlgorithm) throws {
    let ceremony = try CeremonyForm(algorithm)
    let outcome = try ceremony.verify(.packed, .map(Self.selfStatement(ceremony)))
    #expect(outcome.type == .self)
    #expect(outcome.trust.kind == .self)
  }

  @Test func `a key that cannot sign does not attest itself`() throws {
    let ceremony = try CeremonyForm()
    // A key for ECDH-ES + HKDF-256.
    guard case .ec2(let curve, let x, let y) = ceremony.key.publicKey.material else { throw AnotherKey() }
    let encoded = CBORWriter.bytes(
      of: [1: 2, 3: -25, -1: .integer(curve.rawValue), -2: .bytes([UInt8](x)), -3: .bytes([UInt8](y))])
    let statement = CBORWriter.bytes(of: ["alg": -25, "sig": .bytes([0x30, 0x00])])
    expect(.unsupportedAlgorithm) {
      try AttestationVerifier(policy: ceremony.policy).verify(
        CBORValue(parsing: statement[...], rules: .wellFormed), format: .packed,
        authenticatorData: AuthenticatorData(parsing: ceremony.authenticatorData[...]),
        credentialPublicKey: COSEKey(parsing: encoded[...]), clientDataHash: ceremony.clientDataHash[...],
        at: ceremony.time)
    }
  }

  private struct AnotherKey: Error {}

  @Test func `each member is required`() throws {
    let ceremony = try CeremonyForm()
    let statement = try Self.statement(ceremony)
    expectEachMemberIsNeeded(ceremony, .packed, statement, ["alg", "sig"])
    expect(.malformedStatement) { try ceremony.verify(.packed, .map(statement.merging(["x5c": 1]) { $1 })) }
    expect(.malformedStatement) { try ceremony.verify(.packed, .map(statement.merging(["x5c": []]) { $1 })) }
    expect(.malformedStatement) { try ceremony.verify(.packed, .map(statement.merging(["x5c": [1]]) { $1 })) }
    expect(.malformedCertificate) {
      try ceremony.verify(.packed, .map(statement.merging(["x5c": [.bytes([0x30])]]) { $1 }))
    }
    let many = CBORTree.array([CBORTree](repeating: .bytes([0x30]), count: 17))
    expect(.certificateCount) { try ceremony.verify(.packed, .map(statement.merging(["x5c": many]) { $1 })) }
    let key = try TestKey.make("batch")
    let most = CBORTree.array([CBORTree](repeating: .bytes(try ceremony.certificate(of: key)), count: 16))
    #expect(try ceremony.verify(.packed, .map(statement.merging(["x5c": most]) { $1 })).trust.kind == .anchored)
  }

  @Test func `a statement without its certificate is not self attestation`() throws {
    let ceremony = try CeremonyForm()
    var statement = try Self.statement(ceremony)
    statement["x5c"] = nil
    expect(.invalidSignature) { try ceremony.verify(.packed, .map(statement)) }
    statement["ecdaaKeyId"] = .bytes([1])
    expect(.unsupportedAlgorithm, "ECDAA") { try ceremony.verify(.packed, .map(statement)) }
  }

  @Test func `a signature by another key or over other bytes is refused`() throws {
    let ceremony = try CeremonyForm()
    var statement = try Self.statement(ceremony)
    statement["sig"] = .bytes(try ceremony.key.sign(ceremony.signedBytes[...]))
    expect(.invalidSignature) { try ceremony.verify(.packed, .map(statement)) }
    var other = ceremony
    other.clientDataHash[0] ^= 1
    expect(.invalidSignature) { try other.verify(.packed, .map(Self.statement(ceremony))) }
    expect(.invalidSignature) { try other.verify(.packed, .map(Self.selfStatement(ceremony))) }
  }

  @Test func `the algorithm must match the key`() throws {
    let ceremony = try CeremonyForm()
    for (algorithm, code) in [
      (-257, AttestationError.Code.algorithmMismatch), (-35, .algorithmMismatch), (-65535, .legacyHash),
      (-70000, .unsupportedAlgorithm),
    ] {
      let corrupted = try Self.statement(ceremony).merging(["alg": .integer(Int64(algorithm))]) { $1 }
      expect(code) { try ceremony.verify(.packed, .map(corrupted)) }
    }
    let corrupted = try Self.selfStatement(ceremony).merging(["alg": -9]) { $1 }
    expect(.algorithmMismatch, "expected ES256, received ESP256") { try ceremony.verify(.packed, .map(corrupted)) }
  }

  @Test func `the certificate meets the requirements of §8.2.1`() throws {
    let ceremony = try CeremonyForm()
    func verify(_ corrupt: (inout CertificateForm) -> Void) throws -> AttestationOutcome {
      try ceremony.verify(.packed, .map(Self.statement(ceremony, .es256, corrupt)))
    }
    expect(.certificateVersion, "expected 3, received 1") {
      try verify {
        $0.version = 1
        $0.extensions = []
      }
    }
    for (index, part) in ["C of", "O of", "OU of", "CN of"].enumerated() {
      expect(.certificateSubject, part) { try verify { $0.subject.remove(at: index) } }
      expect(.certificateSubject, part) { try verify { $0.subject[index].1 = "" } }
    }
    expect(.certificateSubject, "OU of") { try verify { $0.subject[2].1 = "Authenticator attestation" } }
    expect(.certificateIsAuthority) {
      try verify { $0.extensions = [CertificateForm.basicConstraints(isAuthority: true)] }
    }
    expect(.certificateIsAuthority, "has no basic constraints") { try verify { $0.extensions = [] } }
  }

  @Test func `missing basic constraints are accepted for tolerated models only`() throws {
    var ceremony = try CeremonyForm()
    let model = try #require(AAGUID(ceremony.aaguid))
    ceremony.policy.modelTolerances.withoutBasicConstraints = [model]
    let statement = try Self.statement(ceremony) { $0.extensions = [] }
    #expect(try ceremony.verify(.packed, .map(statement)).trust.kind == .anchored)
    ceremony.aaguid[0] ^= 1
    let other = try Self.statement(ceremony) { $0.extensions = [] }
    expect(.certificateIsAuthority) { try ceremony.verify(.packed, .map(other)) }
  }

  @Test func `the firmware version is read, and refused if it is critical or malformed`() throws {
    let ceremony = try CeremonyForm()
    func verify(isCritical: Bool = false, _ value: (inout DERWriter) -> Void) throws -> AttestationOutcome {
      let `extension` = CertificatePart.extension([1, 3, 6, 1, 4, 1, 45724, 1, 1, 5], isCritical: isCritical, value)
      return try ceremony.verify(.packed, .map(Self.statement(ceremony, .es256) { $0.extensions.append(`extension`) }))
    }
    #expect(try verify { $0.writeInteger(42) }.firmwareVersion == 42)
    #expect(try ceremony.verify(.packed, .map(Self.statement(ceremony))).firmwareVersion == nil)
    expect(.malformedExtension, "der.integer-out-of-range") { try verify { $0.writeInteger(-1) } }
    expect(.malformedExtension, "1.3.6.1.4.1.45724.1.1.5") { try verify { $0.writeOctetString([42]) } }
    expect(.criticalExtension) { try verify(isCritical: true) { $0.writeInteger(42) } }
  }

  @Test func `the enterprise serial number is read, and refused if it is critical or malformed`() throws {
    let ceremony = try CeremonyForm()
    func verify(isCritical: Bool = false, _ value: (inout DERWriter) -> Void) throws -> AttestationOutcome {
      let `extension` = CertificatePart.extension([1, 3, 6, 1, 4, 1, 45724, 1, 1, 2], isCritical: isCritical, value)
      return try ceremony.verify(.packed, .map(Self.statement(ceremony, .es256) { $0.extensions.append(`extension`) }))
    }
    #expect(try verify { $0.writeOctetString([7, 8, 9]) }.enterpriseSerialNumber == [7, 8, 9])
    #expect(try ceremony.verify(.packed, .map(Self.statement(ceremony))).enterpriseSerialNumber == nil)
    expect(.malformedExtension, "1.3.6.1.4.1.45724.1.1.2") { try verify { $0.write(encoded: [7, 8, 9]) } }
    expect(.criticalExtension) { try verify(isCritical: true) { $0.writeOctetString([7, 8, 9]) } }
  }

  @Test func `the AAGUID in the certificate must match the authenticator data`() throws {
    let ceremony = try CeremonyForm()
    func verify(isCritical: Bool = false, _ value: (inout DERWriter) -> Void) throws -> AttestationOutcome {
      let `extension` = CertificatePart.extension(Self.aaguidExtension, isCritical: isCritical, value)
      return try ceremony.verify(.packed, .map(Self.statement(ceremony, .es256) { $0.extensions.append(`extension`) }))
    }
    #expect(try verify { $0.writeOctetString(ceremony.aaguid[...]) }.type == .basic)
    expect(.aaguidMismatch, "received 00010203-0405-0607-0809-0a0b0c0d0e0f") {
      try verify { $0.writeOctetString([UInt8](repeating: 1, count: 16)[...]) }
    }
    expect(.malformedExtension) { try verify { $0.writeOctetString([1, 2, 3]) } }
    // The 16 bytes wrapped once instead of twice.
    expect(.malformedExtension) { try verify { $0.write(encoded: ceremony.aaguid[...]) } }
    expect(.criticalExtension) { try verify(isCritical: true) { $0.writeOctetString(ceremony.aaguid[...]) } }
  }

  @Test func `members in any order and with long heads are accepted`() throws {
    let ceremony = try CeremonyForm()
    let signature = try ceremony.key.sign(ceremony.signedBytes[...])
    // {"sig": …, "alg": −7}, with −7 in two bytes: well formed, but not canonical.
    let encoded = hex("a2 63736967 58") + [UInt8(signature.count)] + signature + hex("63616c67 3806")
    #expect(try ceremony.verify(.packed, encoded: encoded).type == .self)
  }

  @Test func `a text-valued key attests itself`() throws {
    var ceremony = try CeremonyForm(.eddsa)
    guard case .okp(_, let x) = ceremony.key.publicKey.material else { return }
    let words: CBORTree = [1: "OKP", 3: -8, -1: "Ed25519", -2: .bytes([UInt8](x))]
    ceremony.encodedKey = CBORWriter.bytes(of: words)
    #expect(try COSEKey(parsingTextValuedKey: CBORWriter.bytes(of: words)[...]) == ceremony.key.publicKey)
    #expect(try ceremony.verify(.packed, .map(Self.selfStatement(ceremony))).type == .self)
  }
}
