// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import TestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes
import WireFormats

@Suite struct AndroidKeyAttestationTests {
  private static let descriptionExtension: ObjectIdentifier = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]

  /// An authorization list in the making.
  private struct List {
    var purposes: [Int64]? = [2]
    var origin: Int64? = 0
    var allApplications = false
    var isTwice = false

    static let empty = Self(purposes: nil, origin: nil)

    func write(to writer: inout DERWriter) {
      writer.writeSequence {
        if let purposes { $0.writeExplicit(1) { $0.writeSetOf(purposes) { $0.writeInteger($1) } } }
        // Something that nobody here knows: the key's size.
        $0.writeExplicit(3) { $0.writeInteger(256) }
        if allApplications { $0.writeExplicit(600) { $0.writeNull() } }
        for _ in 0..<(isTwice ? 2 : 1) { if let origin { $0.writeExplicit(702) { $0.writeInteger(origin) } } }
      }
    }
  }

  private static func statement(
    _ ceremony: CeremonyForm, of key: SigningKey? = nil, challenge: [UInt8]? = nil, software: List = .empty,
    trusted: List = List()
  ) throws -> Members {
    let key = key ?? ceremony.key
    let `extension` = CertificatePart.extension(descriptionExtension) {
      $0.writeSequence {
        $0.writeInteger(300)
        $0.writeEnumerated(1)
        $0.writeInteger(300)
        $0.writeEnumerated(1)
        $0.writeOctetString((challenge ?? ceremony.clientDataHash)[...])
        $0.writeOctetString([])
        software.write(to: &$0)
        trusted.write(to: &$0)
      }
    }
    return [
      "alg": .integer(key.algorithm.rawValue), "sig": .bytes(try key.sign(ceremony.signedBytes[...])),
      "x5c": .array([.bytes(try ceremony.certificate(of: key) { $0.extensions.append(`extension`) })]),
    ]
  }

  @Test func `the key store certifies the credential key`() throws {
    let ceremony = try CeremonyForm()
    let outcome = try ceremony.verify(.androidKey, .map(Self.statement(ceremony)))
    #expect(outcome.type == .basic)
    #expect(outcome.trust.kind == .anchored)
  }

  @Test func `each member is needed`() throws {
    let ceremony = try CeremonyForm()
    expectEachMemberIsNeeded(ceremony, .androidKey, try Self.statement(ceremony), ["alg", "sig", "x5c"])
  }

  @Test func `signature, key and challenge are this ceremony's`() throws {
    let ceremony = try CeremonyForm()
    var other = ceremony
    other.flags = 0x45
    expect(.invalidSignature) { try other.verify(.androidKey, .map(Self.statement(ceremony))) }
    let key = try TestKey.make("another")
    expect(.publicKeyMismatch) { try ceremony.verify(.androidKey, .map(Self.statement(ceremony, of: key))) }
    let challenge = [UInt8](repeating: 0, count: 32)
    expect(.androidChallengeMismatch) {
      try ceremony.verify(.androidKey, .map(Self.statement(ceremony, challenge: challenge)))
    }
    let legacy = try Self.statement(ceremony).merging(["alg": -65535]) { $1 }
    expect(.legacyHash) { try ceremony.verify(.androidKey, .map(legacy)) }
  }

  @Test func `the key is for one application, made inside and there to sign`() throws {
    let ceremony = try CeremonyForm()
    func verify(software: List = .empty, trusted: List = List()) throws -> AttestationOutcome {
      try ceremony.verify(.androidKey, .map(Self.statement(ceremony, software: software, trusted: trusted)))
    }
    expect(.androidAllApplications) { try verify(trusted: List(allApplications: true)) }
    expect(.androidAllApplications) { try verify(software: List(purposes: nil, origin: nil, allApplications: true)) }
    expect(.androidKeyOrigin, "received []") { try verify(trusted: List(origin: nil)) }
    expect(.androidKeyOrigin, "received [2]") { try verify(trusted: List(origin: 2)) }
    expect(.androidKeyOrigin, "received [0, 2]") { try verify(software: List(purposes: nil, origin: 2)) }
    expect(.androidKeyPurpose, "received []") { try verify(trusted: List(purposes: nil)) }
    expect(.androidKeyPurpose, "received [2, 3]") { try verify(trusted: List(purposes: [2, 3])) }
    expect(.androidKeyPurpose, "received [0, 2]") { try verify(software: List(purposes: [0], origin: nil)) }
    expect(.malformedExtension) { try verify(trusted: List(isTwice: true)) }
  }

  @Test func `a policy may want the trusted environment's word`() throws {
    var ceremony = try CeremonyForm()
    let statement = try Self.statement(ceremony, software: List(), trusted: .empty)
    #expect(try ceremony.verify(.androidKey, .map(statement)).type == .basic)
    ceremony.policy.androidKeyAuthorizations = .trustedEnvironmentOnly
    expect(.androidKeyOrigin) { try ceremony.verify(.androidKey, .map(statement)) }
    #expect(try ceremony.verify(.androidKey, .map(Self.statement(ceremony))).type == .basic)
  }

  @Test func `a certificate without a description is refused`() throws {
    let ceremony = try CeremonyForm()
    var statement = try Self.statement(ceremony)
    statement["x5c"] = .array([.bytes(try ceremony.certificate(of: ceremony.key))])
    expect(.missingExtension) { try ceremony.verify(.androidKey, .map(statement)) }
  }
}
