// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
struct RealMetadataTests {
  private static let token = (try? SharedVectors.bytes("mds/blob-no122-2024-12.jwt")) ?? []
  private static let example = (try? SharedVectors.bytes("mds/blob-spec-example-no15.jwt")) ?? []
  private static let time = UnixTime(secondsSince1970: 1_735_257_600)  // 2024-12-27

  private static func aaguid(_ digits: String) throws -> AAGUID { try #require(AAGUID(hex(digits))) }

  @Test func `the real BLOB is read completely, with its revoked model`() throws {
    let blob = try MetadataBlob(verifying: Self.token, at: Self.time)
    #expect(blob.number == 122)
    #expect(blob.nextUpdate.description == "2025-01-01T00:00:00Z")
    #expect(blob.entries.count == 281)
    #expect(blob.refusedEntries.isEmpty)
    #expect(blob.entries.count { $0.aaguid != nil } == 189)
    #expect(blob.entries.count { $0.aaid != nil } == 17)
    #expect(blob.entries.count { !$0.certificateKeyIdentifiers.isEmpty } == 75)
    #expect(blob.entries.allSatisfy { $0.statement?.unreadableCertificateCount == 0 })
    #expect(blob.entries.flatMap(\.statusHistory.reports).count == 502)
    #expect(blob.signerPath.certificates.count == 3)
    #expect(
      Hex.encode(blob.signerPath.anchor.sha256Fingerprint)
        == "cbb522d7b7f127ad6a0113865bdf1cd4102e7d0759af635a7cf4720dc963c53b")

    let aaguid = try Self.aaguid("ba86dc56635f4141aef600227b1b9af6")
    let history = try #require(blob[aaguid]).statusHistory
    #expect(history.current(at: Self.time)?.status == .revoked)
    #expect(history.current(at: try UnixTime(rfc3339: "2023-12-19T23:59:59Z"))?.status == .notFIDOCertified)
    let revoked = blob.entries.count { $0.statusHistory.report(of: [.revoked], at: Self.time) != nil }
    #expect(revoked == 1)
  }

  @Test func `real devices are anchored by it`() throws {
    let blob = try MetadataBlob(verifying: Self.token, at: Self.time)
    var policy = AttestationPolicy()
    policy.trustAnchors = TrustAnchors(metadata: blob)
    policy.acceptableTrust = .anchored
    for name in ["packed/YubiKey5Nfc", "packed/YubikeyFips5Nfc", "fido-u2f/YubiKey5cNfc"] {
      let outcome = try RegistrationCase.named("java-webauthn-server/\(name)").verify(policy)
      #expect(outcome.trust.kind == .anchored)
      #expect(outcome.metadata?.statement?.description?.contains("YubiKey") == true)
    }
    // A virtual authenticator that claims to be Windows Hello.
    let impostor = try RegistrationCase.named("go-webauthn/packed/attestationTestUnpackResponse-2")
    expect(.unanchoredNotAcceptable) { try impostor.verify(policy) }

    // A TPM that signs with RS1.
    let hello = try RegistrationCase.named("java-webauthn-server/tpm/WindowsHelloTpm")
    let outcome = try hello.verify(policy)
    #expect(outcome.type == .attestationCA)
    #expect(outcome.metadata?.statement?.description == "Windows Hello Hardware Authenticator")
    var strict = policy
    strict.legacyHash = .inNoFormat
    expect(.legacyHash, "RS1") { try hello.verify(strict) }

    // Devices of every maker stay anchored.
    policy.acceptableTrust = AttestationPolicy().acceptableTrust
    policy.safetyNetTime = .ignored
    var formats: Set<String> = []
    for registration in RegistrationCase.all where registration.isAccepted {
      guard let outcome = try? registration.verify(policy), let leaf = outcome.certificates.first else { continue }
      // Uses the entry of the claimed AAGUID, and its certificates for any format.
      let object = try AttestationObject(parsing: registration.attestationObject[...])
      let model = object.authenticatorData.attestedCredentialData?.aaguid ?? .zero
      let identifier = Digest.legacySHA1(leaf.subjectPublicKeyInfo.key)
      guard let entry = blob[model] ?? blob.entry(certificateKeyIdentifier: identifier[...]),
        let store = entry.statement?.trustStore,
        (try? store.validate(
          leaf, through: Array(outcome.certificates.dropFirst()), at: registration.time)) != nil
      else { continue }
      #expect(outcome.trust.kind == .anchored, "\(registration)")
      #expect(outcome.metadata?.attestationFormats.contains(outcome.format) == true)
      formats.insert("\(outcome.format)")
    }
    #expect(formats == ["packed", "fido-u2f", "tpm", "android-safetynet"])
  }

  @Test func `an entry anchors the formats of its family, and SafetyNet's web authorities SafetyNet only`() throws {
    let blob = try MetadataBlob(verifying: Self.token, at: Self.time)
    let aaguid = try Self.aaguid("b93fd961f2e6462fb12282002247de78")
    let entry = try #require(blob[aaguid])
    #expect(entry.statement?.trustStore.anchors.count == 39)
    #expect(entry.attestationFormats == [.androidSafetyNet])
    var ceremony = try CeremonyForm()
    ceremony.aaguid = aaguid.bytes
    ceremony.policy.trustAnchors = TrustAnchors(metadata: blob)
    let key = try TestKey.make("batch")
    let certificate = try ceremony.certificate(of: key)
    let signature = try key.sign(ceremony.signedBytes[...])
    let outcome = try ceremony.verify(.packed, ["alg": -7, "sig": .bytes(signature), "x5c": [.bytes(certificate)]])
    if case .unanchored(.formatNotInMetadata) = outcome.trust {} else { Issue.record("\(outcome.trust)") }

    // Every other entry anchors the formats of its family.
    for entry in blob.entries {
      let statement = try #require(entry.statement)
      let name = "\(statement.description ?? "")"
      switch (statement.protocolFamily, statement.attestationTypes.contains(.basicFull)) {
      case ("u2f", _): #expect(entry.attestationFormats == [.fidoU2F], "\(name)")
      case ("fido2", true):
        guard entry.aaguid != (try Self.aaguid("b93fd961f2e6462fb12282002247de78")) else { continue }
        let speaksU2F = statement.protocolVersions.contains("U2F_V2")
        #expect(entry.attestationFormats == (speaksU2F ? [.packed, .fidoU2F] : [.packed]), "\(name)")
      case ("fido2", false):
        let isPlatform = statement.attestationTypes == [.attestationCA]
        #expect(entry.attestationFormats == (isPlatform ? [.packed, .tpm] : []), "\(name)")
      default: #expect(entry.attestationFormats.isEmpty, "\(name)")
      }
    }
  }

  @Test func `it is refused if it is changed, replayed or expired, or if its signer is unknown or not checked`() throws
  {
    let signatureStart = try #require(Self.token.lastIndex(of: UInt8(ascii: ".")))
    for (place, code) in [
      (signatureStart - 100_000, AttestationError.Code.metadataInvalidSignature),
      (signatureStart + 100, .metadataInvalidSignature),
    ] {
      var corrupted = Self.token
      corrupted[place] = corrupted[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      expect(code) { try MetadataBlob(verifying: corrupted, at: Self.time) }
    }
    expect(.metadataMalformedToken) {
      try MetadataBlob(verifying: [UInt8](Self.token[..<signatureStart]), at: Self.time)
    }

    expect(.metadataNumberGoneBack, "from 123 to 122") {
      try MetadataBlob(verifying: Self.token, at: Self.time, lastNumber: 123)
    }
    expect(.metadataExpired) {
      try MetadataBlob(verifying: Self.token, at: UnixTime(rfc3339: "2025-01-02T00:00:00Z"))
    }
    let fake = MetadataSigner(anchors: [try Self.root("conformance-fake")], hostName: nil)
    expect(.metadataUntrustedSigner) { try MetadataBlob(verifying: Self.token, signedBy: fake, at: Self.time) }

    let lists = try ["mds/gsextendvalsha2g3r3.crl", "mds/root-r3.crl"].map {
      try RevocationList(der: SharedVectors.bytes($0)[...])
    }
    expect(.metadataUntrustedSigner, "certificate.revocation-list-expired") {
      try MetadataBlob(verifying: Self.token, at: Self.time, revocationLists: lists)
    }
    var policy = CertificatePathPolicy()
    policy.expiredRevocationLists = .used
    policy.revocation = .required
    let blob = try MetadataBlob(verifying: Self.token, at: Self.time, revocationLists: lists, policy: policy)
    #expect(blob.number == 122)
  }

  @Test func `the specification's example is valid under its own root`() throws {
    let signer = MetadataSigner(anchors: [try Self.root("spec-example")], hostName: nil)
    let time = try UnixTime(rfc3339: "2021-05-01T00:00:00Z")
    expect(.metadataExpired) { try MetadataBlob(verifying: Self.example, signedBy: signer, at: time) }
    let blob = try MetadataBlob(verifying: Self.example, signedBy: signer, at: time, expiry: .used)
    #expect(blob.number == 15)
    #expect(blob.entries.map(\.aaid) == ["1234#5678", nil])
    #expect(blob.entries[1].statement?.protocolFamily == "fido2")
    expect(.metadataHostName) { try MetadataBlob(verifying: Self.example, at: time) }
  }

  private static func root(_ name: String) throws -> X509Certificate {
    let block = try #require(try PEM.blocks(in: SharedVectors.bytes("mds/root-\(name).crt")[...]).first)
    return try X509Certificate(der: block.bytes[...])
  }
}
