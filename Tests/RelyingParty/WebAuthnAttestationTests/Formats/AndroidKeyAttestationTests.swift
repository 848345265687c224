// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct AndroidKeyAttestationTests {
  private typealias List = KeyDescriptionForm.List

  private static func statement(
    _ ceremony: CeremonyForm, of key: SigningKey? = nil, _ description: KeyDescriptionForm? = nil
  ) throws -> Members {
    let key = key ?? ceremony.key
    let `extension` = (description ?? KeyDescriptionForm(for: ceremony)).extension
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

  @Test func `anchors for the format alone do not prove an allowed model`() throws {
    var ceremony = try CeremonyForm()
    ceremony.policy.models.allowed = [try #require(AAGUID([UInt8](0..<16)))]
    expect(.modelUnproven, "expected an attestation that vouches for the AAGUID, received android-key") {
      try ceremony.verify(.androidKey, .map(Self.statement(ceremony)))
    }
  }

  @Test func `only in a U2F statement does the AAGUID zero need no proof`() throws {
    var ceremony = try CeremonyForm()
    ceremony.aaguid = [UInt8](repeating: 0, count: 16)
    ceremony.policy.models.allowed = [.zero]
    expect(.modelUnproven) { try ceremony.verify(.androidKey, .map(Self.statement(ceremony))) }
  }

  @Test func `without metadata an allowed status proves nothing about an unproven model`() throws {
    var ceremony = try CeremonyForm()
    ceremony.policy.models.statuses = [AuthenticatorStatus(rawValue: "FIDO_CERTIFIED")]
    expect(.modelUnproven, "expected an attestation that vouches for the AAGUID, received android-key") {
      try ceremony.verify(.androidKey, .map(Self.statement(ceremony)))
    }
  }

  @Test func `each member is required`() throws {
    let ceremony = try CeremonyForm()
    expectEachMemberIsNeeded(ceremony, .androidKey, try Self.statement(ceremony), ["alg", "sig", "x5c"])
  }

  @Test func `signature, key and challenge must be of this ceremony`() throws {
    let ceremony = try CeremonyForm()
    var other = ceremony
    other.flags = 0x45
    expect(.invalidSignature) { try other.verify(.androidKey, .map(Self.statement(ceremony))) }
    let key = try TestKey.make("another")
    expect(.publicKeyMismatch) { try ceremony.verify(.androidKey, .map(Self.statement(ceremony, of: key))) }
    var description = KeyDescriptionForm(for: ceremony)
    description.challenge = [UInt8](repeating: 0, count: 32)
    expect(.androidChallengeMismatch) {
      try ceremony.verify(.androidKey, .map(Self.statement(ceremony, description)))
    }
    let legacy = try Self.statement(ceremony).merging(["alg": -65535]) { $1 }
    expect(.legacyHash) { try ceremony.verify(.androidKey, .map(legacy)) }
  }

  @Test func `the key is for one application, generated inside and used for signing`() throws {
    let ceremony = try CeremonyForm()
    func verify(software: List = .empty, hardware: List = List()) throws -> AttestationOutcome {
      var description = KeyDescriptionForm(for: ceremony)
      description.software = software
      description.hardware = hardware
      return try ceremony.verify(.androidKey, .map(Self.statement(ceremony, description)))
    }
    expect(.androidAllApplications) { try verify(hardware: List(allApplications: true)) }
    expect(.androidAllApplications) { try verify(software: List(purposes: nil, origin: nil, allApplications: true)) }
    expect(.androidKeyOrigin, "received []") { try verify(hardware: List(origin: nil)) }
    expect(.androidKeyOrigin, "received [2]") { try verify(hardware: List(origin: 2)) }
    expect(.androidKeyOrigin, "received [0, 2]") { try verify(software: List(purposes: nil, origin: 2)) }
    expect(.androidKeyPurpose, "received []") { try verify(hardware: List(purposes: nil)) }
    expect(.androidKeyPurpose, "received [2, 3]") { try verify(hardware: List(purposes: [2, 3])) }
    expect(.androidKeyPurpose, "received [0, 2]") { try verify(software: List(purposes: [0], origin: nil)) }
    expect(.malformedExtension) { try verify(hardware: List(isTwice: true)) }
  }

  @Test func `a policy may require enforcement by the trusted environment`() throws {
    var ceremony = try CeremonyForm()
    var description = KeyDescriptionForm(for: ceremony)
    swap(&description.software, &description.hardware)
    let statement = try Self.statement(ceremony, description)
    #expect(try ceremony.verify(.androidKey, .map(statement)).type == .basic)
    ceremony.policy.androidKeyAuthorizations = .trustedEnvironmentOnly
    expect(.androidKeyOrigin) { try ceremony.verify(.androidKey, .map(statement)) }
    #expect(try ceremony.verify(.androidKey, .map(Self.statement(ceremony))).type == .basic)
  }

  @Test(arguments: [(0, 1), (1, 0), (0, 0), (100, 1), (1, 100)])
  func `attestation and key are in hardware if the policy requires the trusted environment`(
    attestation: Int64, key: Int64
  ) throws {
    var ceremony = try CeremonyForm()
    var description = KeyDescriptionForm(for: ceremony)
    (description.attestationLevel, description.keyLevel) = (attestation, key)
    let statement = try Self.statement(ceremony, description)
    #expect(try ceremony.verify(.androidKey, .map(statement)).type == .basic)
    ceremony.policy.androidKeyAuthorizations = .trustedEnvironmentOnly
    expect(.androidSecurityLevel, "attestation level \(attestation), key level \(key)") {
      try ceremony.verify(.androidKey, .map(statement))
    }
  }

  @Test func `a certificate without a description is refused`() throws {
    let ceremony = try CeremonyForm()
    var statement = try Self.statement(ceremony)
    statement["x5c"] = .array([.bytes(try ceremony.certificate(of: ceremony.key))])
    expect(.missingExtension) { try ceremony.verify(.androidKey, .map(statement)) }
  }
}

// MARK: The certificate nearest the root

extension AndroidKeyAttestationTests {
  /// Returns a chain in which a key-store key, described by `above`, has certified the credential key.
  private static func chain(_ ceremony: CeremonyForm, above: KeyDescriptionForm?) throws -> CBORTree {
    let attestKey = try TestKey.make("attest key")
    let issuer = Issuer(subject: [(.commonName, "Attest key")], key: attestKey)
    var form = CertificateForm(issuer.subject, attestKey.publicKey)
    form.extensions = [CertificateForm.basicConstraints(isAuthority: true)] + (above.map { [$0.extension] } ?? [])
    var leaf = CertificateForm([(.commonName, "Android Keystore Key")], ceremony.key.publicKey)
    leaf.extensions = [KeyDescriptionForm(for: ceremony).extension]
    let path = [try leaf.signed(by: issuer), try form.signed(by: ceremony.root.issuer)]
    return [
      "alg": .integer(ceremony.key.algorithm.rawValue), "sig": .bytes(try ceremony.key.sign(ceremony.signedBytes[...])),
      "x5c": .array(path.map { .bytes($0) }),
    ]
  }

  @Test func `a leaf signed by a described key is refused`() throws {
    var ceremony = try CeremonyForm()
    ceremony.policy.androidKeyAuthorizations = .trustedEnvironmentOnly
    #expect(try ceremony.verify(.androidKey, Self.chain(ceremony, above: nil)).trust.kind == .anchored)
    // An imported key that may certify others, according to its description.
    var above = KeyDescriptionForm(for: ceremony)
    above.hardware = List(purposes: [7], origin: 2)
    expect(.androidIssuerDescription, "CN=Attest key") {
      try ceremony.verify(.androidKey, Self.chain(ceremony, above: above))
    }
  }

  @Test func `a description above the leaf is not used for the credential key`() throws {
    let ceremony = try CeremonyForm()
    expect(.publicKeyMismatch) {
      try ceremony.verify(.androidKey, Self.chain(ceremony, above: KeyDescriptionForm(for: ceremony)))
    }
  }
}

// MARK: The description in the outcome and in the policy

extension AndroidKeyAttestationTests {
  /// A phone that booted its manufacturer's software, with patch level May 2024.
  private static func phone(_ ceremony: CeremonyForm) -> KeyDescriptionForm {
    var description = KeyDescriptionForm(for: ceremony)
    (description.attestationLevel, description.keyLevel) = (2, 2)
    description.uniqueID = [0xee]
    description.software.others = [
      (701, { $0.writeInteger(1_714_521_600_000) }), (709, { $0.writeOctetString([0x30, 0x00]) }),
    ]
    description.hardware.others = [
      (2, { $0.writeInteger(3) }), (5, { $0.writeSetOf([4 as Int64]) { $0.writeInteger($1) } }),
      (10, { $0.writeInteger(1) }), (503, { $0.writeNull() }), (704, { Self.writeRootOfTrust(&$0) }),
      (705, { $0.writeInteger(140_000) }), (706, { $0.writeInteger(202_405) }),
      (710, { $0.writeOctetString(Array("google".utf8)[...]) }), (718, { $0.writeInteger(20_240_505) }),
      (719, { $0.writeInteger(20_240_501) }), (9_999, { $0.writeNull() }),
    ]
    return description
  }

  private static func writeRootOfTrust(_ writer: inout DERWriter, locked: Bool = true, state: Int64 = 0) {
    writer.writeSequence {
      $0.writeOctetString([1, 2, 3])
      $0.writeBoolean(locked)
      $0.writeEnumerated(state)
      $0.writeOctetString([4, 5, 6])
    }
  }

  @Test func `the result contains the whole description`() throws {
    let ceremony = try CeremonyForm()
    let statement = try Self.statement(ceremony, Self.phone(ceremony))
    let key = try #require(try ceremony.verify(.androidKey, .map(statement)).androidKey)
    #expect(key.attestationVersion == 300)
    #expect(key.keyMintVersion == 300)
    #expect(key.attestationSecurityLevel == .strongBox)
    #expect(key.keyMintSecurityLevel == .strongBox)
    #expect(key.attestationChallenge == ceremony.clientDataHash[...])
    #expect(key.uniqueID == [0xee])
    #expect(key.softwareEnforced.creationTime == 1_714_521_600_000)
    #expect(key.softwareEnforced.applicationID == [0x30, 0x00])
    let list = try #require(key.hardwareAttested)
    #expect(list.purposes == [.sign])
    #expect(list.origin == .generated)
    #expect(list.algorithm == .ec)
    #expect(list.keySize == 256)
    #expect(list.digests == [4])
    #expect(list.curve == 1)
    #expect(list.noAuthenticationRequired)
    #expect(!list.allApplications)
    #expect(list.osVersion == 140_000)
    #expect(list.osPatchLevel == .init(year: 2024, month: 5))
    #expect(list.vendorPatchLevel == .init(year: 2024, month: 5, day: 5))
    #expect(list.bootPatchLevel == .init(year: 2024, month: 5, day: 1))
    #expect(list.deviceIdentifiers == [710: Array("google".utf8)[...]])
    let boot = try #require(list.rootOfTrust)
    #expect(boot.isDeviceLocked)
    #expect(boot.verifiedBootState == .verified)
    #expect(boot.verifiedBootKey == [1, 2, 3])
    #expect(boot.verifiedBootHash == [4, 5, 6])
  }

  @Sendable private static func writeNull(_ writer: inout DERWriter) { writer.writeNull() }

  @Test func `each restriction on the key's use is read, and is absent by default`() throws {
    let ceremony = try CeremonyForm()
    let list = try KeyDescription(der: KeyDescriptionForm(for: ceremony).der[...]).hardwareEnforced
    #expect(!list.noAuthenticationRequired)
    #expect(!list.trustedUserPresenceRequired)
    #expect(!list.unlockedDeviceRequired)
    #expect(!list.allApplications)
    for tag in [503, 507, 509, 600] as [UInt32] {
      var form = KeyDescriptionForm(for: ceremony)
      form.hardware.others = [(tag, Self.writeNull)]
      let list = try KeyDescription(der: form.der[...]).hardwareEnforced
      #expect(list.noAuthenticationRequired == (tag == 503))
      #expect(list.trustedUserPresenceRequired == (tag == 507))
      #expect(list.unlockedDeviceRequired == (tag == 509))
      #expect(list.allApplications == (tag == 600))
    }
  }

  @Test func `a list has at most 96 properties`() throws {
    var form = KeyDescriptionForm(for: try CeremonyForm())
    // Beside purposes, key size and origin.
    form.hardware.others = (1000..<1093).map { ($0, Self.writeNull) }
    #expect(try KeyDescription(der: form.der[...]).hardwareEnforced.purposes == [.sign])
    form.hardware.others.append((1093, Self.writeNull))
    let error = #expect(throws: WireError.self) { try KeyDescription(der: form.der[...]) }
    #expect(error?.code == .derUnexpectedTag)
  }

  @Test func `a property has a context-specific tag`() throws {
    var der = KeyDescriptionForm(for: try CeremonyForm()).der
    // [3] EXPLICIT INTEGER 256 becomes [APPLICATION 3].
    let place = try #require(der.indices.first { der[$0...].starts(with: hex("a304 0202 0100")) })
    der[place] = 0x63
    let error = #expect(throws: WireError.self) { try KeyDescription(der: der[...]) }
    #expect(error?.code == .derUnexpectedTag)
    #expect(error?.offset == place)
  }

  @Test func `a patch level without a day is older than any day of its month`() {
    typealias Level = KeyDescription.PatchLevel
    let levels = [
      Level(year: 2023, month: 12, day: 31), Level(year: 2024, month: 5), Level(year: 2024, month: 5, day: 1),
      Level(year: 2024, month: 5, day: 5), Level(year: 2024, month: 6),
    ]
    for (left, right) in zip(levels, levels.dropFirst()) {
      #expect(left < right)
      #expect(!(right < left))
    }
    #expect(!(Level(year: 2024, month: 5) < Level(year: 2024, month: 5)))
  }

  @Test func `a patch level is a month, or a day of one`() {
    typealias Level = KeyDescription.PatchLevel
    #expect(Level(202_401) == Level(year: 2024, month: 1))
    #expect(Level(202_412) == Level(year: 2024, month: 12))
    #expect(Level(20_240_131) == Level(year: 2024, month: 1, day: 31))
    #expect(Level(90_001_231) == Level(year: 9000, month: 12, day: 31))
    for number in [202_400, 202_413, 20_240_100, 20_240_132, 20_241_301] as [UInt64] { #expect(Level(number) == nil) }
  }

  @Test func `a listed certificate without an anchor is refused`() throws {
    var ceremony = try CeremonyForm()
    ceremony.policy.trustAnchors = TrustAnchors()
    #expect(try ceremony.verify(.androidKey, .map(Self.statement(ceremony))).trust.kind == .unanchored)
    // The serial number of the form's certificates.
    ceremony.policy.statusLists = [try AttestationStatusList(json: [UInt8](#"{"entries":{"2a":{"status":"X"}}}"#.utf8))]
    expect(.certificateRevoked) { try ceremony.verify(.androidKey, .map(Self.statement(ceremony))) }
  }

  @Test func `a listed authority is refused, even if the statement omits it`() throws {
    var ceremony = try CeremonyForm()
    var statement = try Self.statement(ceremony)
    let certificate = try ceremony.certificate(of: ceremony.key) {
      $0.serialNumber = [0x51]
      $0.extensions.append(KeyDescriptionForm(for: ceremony).extension)
    }
    statement["x5c"] = .array([.bytes(certificate)])
    let serialNumber = Hex.encode(ceremony.root.certificate.serialNumber)
    let list = "{\"entries\":{\"\(serialNumber)\":{\"status\":\"REVOKED\"}}}"
    ceremony.policy.statusLists = [try AttestationStatusList(json: Array(list.utf8))]
    expect(.certificateRevoked) { try ceremony.verify(.androidKey, .map(statement)) }
  }

  @Test func `the certificate of the credential key may be sent twice`() throws {
    let ceremony = try CeremonyForm()
    var statement = try Self.statement(ceremony)
    guard case .array(let certificates)? = statement["x5c"] else { throw CertificatesMissing() }
    statement["x5c"] = .array(certificates + certificates)
    #expect(try ceremony.verify(.androidKey, .map(statement)).trust.kind == .anchored)
  }

  private struct CertificatesMissing: Error {}

  @Test func `an unsorted SET of numbers is accepted, as some phones write it`() throws {
    let ceremony = try CeremonyForm()
    var description = KeyDescriptionForm(for: ceremony)
    let digests: @Sendable (inout DERWriter) -> Void = {
      $0.write(.set, content: [0x02, 0x01, 0x06, 0x02, 0x01, 0x04])
    }
    description.hardware.others = [(5, digests)]
    let outcome = try ceremony.verify(.androidKey, .map(Self.statement(ceremony, description)))
    #expect(outcome.androidKey?.hardwareEnforced.digests == [4, 6])
  }

  @Test func `a software attestation has no hardware claims`() throws {
    let ceremony = try CeremonyForm()
    var description = Self.phone(ceremony)
    description.attestationLevel = 0
    let outcome = try ceremony.verify(.androidKey, .map(Self.statement(ceremony, description)))
    #expect(outcome.androidKey?.hardwareAttested == nil)
    #expect(outcome.androidKey?.hardwareEnforced.rootOfTrust != nil)
  }

  @Test func `a policy's requirements are enforced`() throws {
    var ceremony = try CeremonyForm()
    func verify(
      _ form: KeyDescriptionForm? = nil, _ require: (inout AndroidKeyRequirements) -> Void
    ) throws -> AttestationOutcome {
      var ceremony = ceremony
      require(&ceremony.policy.androidKeyRequirements)
      return try ceremony.verify(.androidKey, .map(Self.statement(ceremony, form ?? Self.phone(ceremony))))
    }
    let everything = try verify {
      $0.minimumSecurityLevel = .strongBox
      $0.verifiedBootStates = [.verified]
      $0.bootloader = .locked
      $0.minimumOSPatchLevel = .init(year: 2024, month: 5)
      $0.minimumVendorPatchLevel = .init(year: 2024, month: 5)
      $0.minimumBootPatchLevel = .init(year: 2024, month: 5, day: 1)
    }
    #expect(everything.trust.kind == .anchored)
    expect(.androidVerifiedBoot, "expected [1], received 0") { try verify { $0.verifiedBootStates = [.selfSigned] } }
    expect(.androidPatchLevel, "expected OS patch level 2024-06 or later, received 2024-05") {
      try verify { $0.minimumOSPatchLevel = .init(year: 2024, month: 6) }
    }
    expect(.androidPatchLevel, "vendor patch level 2024-05-06") {
      try verify { $0.minimumVendorPatchLevel = .init(year: 2024, month: 5, day: 6) }
    }
    expect(.androidPatchLevel, "boot patch level") {
      try verify { $0.minimumBootPatchLevel = .init(year: 2025, month: 1) }
    }
    let bare = KeyDescriptionForm(for: ceremony)
    expect(.androidSecurityLevel) { try verify(bare) { $0.minimumSecurityLevel = .strongBox } }
    expect(.androidVerifiedBoot, "no root of trust") { try verify(bare) { $0.verifiedBootStates = [.verified] } }
    expect(.androidVerifiedBoot, "no root of trust") { try verify(bare) { $0.bootloader = .locked } }
    expect(.androidPatchLevel, "received none") {
      try verify(bare) { $0.minimumOSPatchLevel = .init(year: 2020, month: 1) }
    }
    var unlocked = Self.phone(ceremony)
    unlocked.hardware.others = [(704, { Self.writeRootOfTrust(&$0, locked: false, state: 2) })]
    expect(.androidVerifiedBoot, "the bootloader is unlocked") { try verify(unlocked) { $0.bootloader = .locked } }
    ceremony.policy.trustAnchors = TrustAnchors()
    expect(.androidVerifiedBoot) { try verify(unlocked) { $0.verifiedBootStates = [.verified] } }
  }

  @Test func `patch levels are compared as dates`() {
    typealias Level = KeyDescription.PatchLevel
    #expect(Level(202_405) == Level(year: 2024, month: 5))
    #expect(Level(20_240_531) == Level(year: 2024, month: 5, day: 31))
    for number: UInt64 in [0, 1, 202_400, 202_413, 20_240_500, 20_240_532, 2_024, .max] {
      #expect(Level(number) == nil)
    }
    #expect(Level(year: 2024, month: 5) < Level(year: 2024, month: 5, day: 1))
    #expect(Level(year: 2024, month: 5, day: 31) < Level(year: 2024, month: 6))
    #expect(Level(year: 2024, month: 12) < Level(year: 2025, month: 1))
    #expect(Level(year: 2024, month: 5, day: 1).description == "2024-05-01")
  }
}
