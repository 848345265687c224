// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

/// A metadata entry vouches only for the formats that its model supports.
@Suite struct FormatBindingTests {
  private static let safetyNet = "b93fd961-f2e6-462f-b122-82002247de78"

  /// Creates a ceremony with this AAGUID, and metadata that list the ceremony's root for it.
  private static func ceremony(
    _ uuid: String = "5f0c1d2e-0000-4000-8000-00000000c0de", types: String = "basic_full", statement: String = ""
  ) throws -> CeremonyForm {
    var ceremony = try CeremonyForm()
    ceremony.aaguid = try #require(AAGUID(uuid: uuid)).bytes
    let metadata = try MetadataForm(
      MetadataForm.entry(
        "\"aaguid\":\"\(uuid)\"", roots: [[UInt8](ceremony.root.certificate.der)], types: types, statement: statement))
    ceremony.policy.trustAnchors = TrustAnchors(metadata: try metadata.verify())
    return ceremony
  }

  private static func packed(_ ceremony: CeremonyForm) throws -> CBORTree {
    let key = try TestKey.make("batch")
    return [
      "alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])),
      "x5c": [.bytes(try ceremony.certificate(of: key))],
    ]
  }

  private static func tpm(_ ceremony: CeremonyForm) throws -> CBORTree {
    .map(try TPMStatementForm(ceremony).members())
  }

  private static func androidKey(_ ceremony: CeremonyForm) throws -> CBORTree {
    let certificate = try ceremony.certificate(of: ceremony.key) {
      $0.extensions.append(KeyDescriptionForm(for: ceremony).extension)
    }
    return [
      "alg": -7, "sig": .bytes(try ceremony.key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(certificate)],
    ]
  }

  private static func apple(_ ceremony: CeremonyForm) throws -> CBORTree {
    let nonce = CertificatePart.extension([1, 2, 840, 113635, 100, 8, 2]) {
      $0.writeSequence { $0.writeExplicit(1) { $0.writeOctetString(ceremony.nonce[...]) } }
    }
    return ["x5c": [.bytes(try ceremony.certificate(of: ceremony.key) { $0.extensions.append(nonce) })]]
  }

  private static func safetyNet(_ ceremony: CeremonyForm) throws -> CBORTree {
    let key = try TestKey.make("service")
    let certificate = try ceremony.certificate(of: key) {
      $0.extensions.append(CertificateForm.hostNames("attest.android.com"))
    }
    let form = TokenForm(
      payload: """
        {"nonce":"\(Base64.encode(ceremony.nonce))","timestampMs":\(Moment.y2030.secondsSince1970)000,\
        "ctsProfileMatch":true}
        """, key: key, certificates: [certificate])
    return ["ver": "1", "response": .bytes(Array(try form.text().utf8))]
  }

  private static let makers: [(AttestationFormat, @Sendable (CeremonyForm) throws -> CBORTree)] = [
    (.packed, packed), (.tpm, tpm), (.androidKey, androidKey), (.apple, apple), (.androidSafetyNet, safetyNet),
  ]

  /// Returns the formats in which the model is anchored. For the others, checks the reason and that no claim is proven.
  private static func anchoredFormats(_ ceremony: CeremonyForm) throws -> Set<AttestationFormat> {
    var anchored: Set<AttestationFormat> = []
    // Android keys report the same AAGUID as SafetyNet, and are anchored by format.
    let isGoogles = ceremony.aaguid == AAGUID(uuid: safetyNet)?.bytes
    for (format, make) in makers {
      let outcome = try ceremony.verify(format, make(ceremony))
      switch outcome.trust {
      case .anchored:
        anchored.insert(format)
        #expect(outcome.metadata != nil)
      case .unanchored(let reason):
        #expect(reason == (isGoogles && format == .androidKey ? .noAnchorsConfigured : .formatNotInMetadata))
        #expect(outcome.provenClaims.vouched.isEmpty)
      case .none, .self: Issue.record("\(outcome.trust)")
      }
    }
    return anchored
  }

  @Test func `the web authorities of SafetyNet anchor SafetyNet only`() throws {
    let ceremony = try Self.ceremony(Self.safetyNet)
    #expect(try Self.anchoredFormats(ceremony) == [.androidSafetyNet])
    for (format, make) in Self.makers where format != .androidSafetyNet {
      var strict = ceremony
      strict.policy.acceptableTrust = .anchored
      expect(.unanchoredNotAcceptable) { try strict.verify(format, make(strict)) }
    }
  }

  @Test(arguments: [
    ("basic_full", "", [AttestationFormat.packed]),
    ("attca", "", [.packed, .tpm]),
    ("anonca", "", [.apple]),
    ("basic_surrogate", "", []),
    ("something_new", "", []),
    ("basic_full", #""protocolFamily":"fido2""#, [.packed]),
    ("basic_full", #""protocolFamily":"u2f""#, []),
    ("basic_full", #""protocolFamily":"uaf""#, []),
    ("basic_full", #""authenticatorGetInfo":{"attestationFormats":["packed","none"]}"#, [.packed]),
    ("basic_full", #""authenticatorGetInfo":{"attestationFormats":["none"]}"#, []),
    ("basic_full", #""authenticatorGetInfo":{"attestationFormats":["android-key"]}"#, [.androidKey]),
    ("basic_full", #""authenticatorGetInfo":{"attestationFormats":["tpm"]}"#, []),
    ("attca", #""authenticatorGetInfo":{"attestationFormats":["tpm"]}"#, [.tpm]),
    ("basic_full", #""authenticatorGetInfo":{"attestationFormats":7}"#, []),
    ("basic_full", #""authenticatorGetInfo":{"attestationFormats":["packed",7]}"#, []),
  ])
  func `an entry anchors the formats that its statement supports`(
    types: String, statement: String, formats: [AttestationFormat]
  ) throws {
    let ceremony = try Self.ceremony(types: types, statement: statement)
    #expect(try Self.anchoredFormats(ceremony) == Set(formats))
  }

  @Test func `an anchor of the model's own entry proves the model`() throws {
    var ceremony = try Self.ceremony(statement: #""authenticatorGetInfo":{"attestationFormats":["android-key"]}"#)
    ceremony.policy.models.allowed = [try #require(AAGUID(ceremony.aaguid))]
    let outcome = try ceremony.verify(.androidKey, Self.androidKey(ceremony))
    #expect(outcome.trust.kind == .anchored && !outcome.provenClaims.vouched.contains(.aaguid))
  }

  @Test func `U2F keys are anchored by entries for U2F, and for FIDO2 keys that support it`() throws {
    let root = try TestAuthority.root()
    func formats(_ identifier: String, _ statement: String) throws -> Set<AttestationFormat>? {
      let entry = MetadataForm.entry(
        identifier, roots: [[UInt8](root.certificate.der)], statement: statement, MetadataForm.report("FIDO_CERTIFIED"))
      return try MetadataForm(entry).verify().entries.first?.attestationFormats
    }
    let key = "\"attestationCertificateKeyIdentifiers\":[\"0102030405060708090a0b0c0d0e0f1011121314\"]"
    #expect(try formats(key, "") == [.fidoU2F])
    #expect(try formats(key, #""protocolFamily":"u2f""#) == [.fidoU2F])
    #expect(try formats("\"aaid\":\"1234#5678\"", "") == [])
    let versions = #""authenticatorGetInfo":{"versions":["U2F_V2","FIDO_2_0"]}"#
    #expect(try formats(MetadataForm.aaguid, versions) == [.packed, .fidoU2F])
  }

  @Test func `a broader anchor does not replace one for a missing format`() throws {
    var ceremony = try Self.ceremony()
    let root = [ceremony.root.certificate]
    ceremony.policy.trustAnchors = TrustAnchors(
      metadata: ceremony.policy.trustAnchors.metadata, byFormat: [.androidKey: root], forEverything: root)
    guard case .unanchored(.formatNotInMetadata) = try ceremony.verify(.androidKey, Self.androidKey(ceremony)).trust
    else {
      Issue.record("an Android phone passes for a security key")
      return
    }
  }

  @Test func `Android keys of Google's AAGUID are anchored by the format's own roots`() throws {
    var ceremony = try Self.ceremony(Self.safetyNet)
    ceremony.policy.trustAnchors = TrustAnchors(
      metadata: ceremony.policy.trustAnchors.metadata, byFormat: [.androidKey: [ceremony.root.certificate]])
    let outcome = try ceremony.verify(.androidKey, Self.androidKey(ceremony))
    #expect(outcome.trust.kind == .anchored)
    #expect(outcome.metadata == nil)
    #expect(!outcome.provenClaims.vouched.contains(.aaguid))
  }
}
