// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct MetadataBlobTests {
  @Test func `a signed BLOB is read`() throws {
    let form = try MetadataForm(
      MetadataForm.entry(MetadataForm.aaguid, MetadataForm.report("FIDO_CERTIFIED", "2024-01-01")))
    let blob = try form.verify()
    #expect(blob.number == 7)
    #expect(blob.nextUpdate.description == "2030-02-01T00:00:00Z")
    #expect(blob.signerPath.anchor == form.root.certificate)
    #expect(blob.entries.count == 1)
    #expect(blob.refusedEntries.isEmpty)
    #expect(try blob.json.require("legalHeader").string == "none")
    let aaguid = try #require(AAGUID([UInt8](0..<16)))
    let entry = try #require(blob[aaguid])
    #expect(entry.statement?.description == "A key")
    #expect(try entry.json.require("unheardOf").require("a").uint64 == 1)
    #expect(blob[.zero] == nil)
  }

  @Test func `a smaller number is refused`() throws {
    var form = try MetadataForm()
    form.lastNumber = 7
    #expect(try form.verify().number == 7)
    form.lastNumber = 8
    expect(.metadataNumberGoneBack, "from 8 to 7") { try form.verify() }
  }

  @Test func `without a last number every number is accepted`() throws {
    var form = try MetadataForm()
    form.number = "0"
    let token = try form.token()
    #expect(try MetadataBlob(verifying: token, signedBy: form.signer, at: form.time).number == 0)
    let policy = CertificatePathPolicy()
    #expect(try MetadataBlob(verifying: token, signedBy: form.signer, at: form.time, policy: policy).number == 0)
  }

  @Test func `the day of expiry still counts as valid`() throws {
    var form = try MetadataForm()
    form.nextUpdate = "2030-01-01"
    form.time = Moment.y2030 + .seconds(86_399)
    #expect(try form.verify().number == 7)
    form.time = Moment.y2030 + .seconds(86_400)
    expect(.metadataExpired, "next update 2030-01-01T00:00:00Z, at 2030-01-02T00:00:00Z") { try form.verify() }
    form.expiry = .used
    #expect(try form.verify().number == 7)
  }

  @Test func `the signer must be the expected one`() throws {
    var form = try MetadataForm()
    form.host = "mds.example"
    expect(.metadataHostName, "expected mds.fidoalliance.org") { try form.verify() }
    form = try MetadataForm()
    expect(.metadataUntrustedSigner) { try MetadataBlob(verifying: form.token(), at: Moment.y2030) }
    form.time = Moment.y2050
    expect(.metadataUntrustedSigner, "certificate.expired") { try form.verify() }
    form = try MetadataForm()
    form.revocationLists = [try form.root.revocationList(of: [0x2a])]
    expect(.metadataUntrustedSigner, "certificate.revoked") { try form.verify() }
    let anyHost = MetadataSigner(anchors: [form.root.certificate], hostName: nil)
    #expect(try MetadataBlob(verifying: form.token(), signedBy: anyHost, at: Moment.y2030).number == 7)
  }

  @Test func `the signature must be valid`() throws {
    var form = try MetadataForm()
    let other = try TestKey.make("another")
    form.corrupt = { $0.key = other }
    expect(.metadataInvalidSignature) { try form.verify() }
    form.corrupt = { $0.algorithm = "RS256" }
    expect(.metadataInvalidSignature) { try form.verify() }
    form.corrupt = { $0.algorithm = "none" }
    expect(.metadataUnsupportedAlgorithm) { try form.verify() }
    form.corrupt = { $0.certificates[0].removeLast() }
    expect(.metadataMalformedCertificate, "metadata.malformed-certificate: certificate.malformed") { try form.verify() }
    form.corrupt = { $0.certificates = [] }
    expect(.metadataMalformedToken) { try form.verify() }
  }

  @Test func `required members of the payload are checked`() throws {
    var form = try MetadataForm()
    form.number = "-1"
    expect(.metadataMalformedPayload) { try form.verify() }
    form = try MetadataForm()
    form.nextUpdate = "2030-02-30"
    expect(.metadataMalformedPayload, "2030-02-30") { try form.verify() }
    form = try MetadataForm()
    form.corrupt = { $0.payload = Array("{}".utf8) }
    expect(.metadataMalformedPayload) { try form.verify() }
    form.corrupt = { $0.payload += Array(" x".utf8) }
    expect(.metadataMalformedPayload) { try form.verify() }
    let tooLong = [UInt8](repeating: UInt8(ascii: "."), count: MetadataBlob.maximumByteCount + 1)
    expect(.metadataTooLarge) { try MetadataBlob(verifying: tooLong, at: Moment.y2030) }
  }

  @Test func `an invalid entry does not affect the others`() throws {
    let reports = "\"statusReports\":[]"
    let form = try MetadataForm(
      "1", "{}", "{\(reports)}", "{\"aaguid\":\"00010203\",\(reports)}", "{\(MetadataForm.aaguid)}",
      "{\(MetadataForm.aaguid),\"statusReports\":[{}]}",
      "{\"attestationCertificateKeyIdentifiers\":[\"xy\"],\(reports)}",
      MetadataForm.entry(), MetadataForm.entry(), "{\"aaid\":\"1234#5678\",\(reports)}")
    let blob = try form.verify()
    #expect(blob.refusedEntries.map(\.index) == [0, 1, 2, 3, 4, 5, 6, 8])
    #expect(blob.refusedEntries.allSatisfy { $0.error.code == .metadataMalformedEntry })
    #expect(blob.entries.map(\.aaid) == [nil, "1234#5678"])
    #expect(blob.entries[1].statement == nil)
  }

  @Test func `an entry is found by the key of a certificate`() throws {
    let identifier = hex("000102030405060708090a0b0c0d0e0f10111213")
    let form = try MetadataForm(
      MetadataForm.entry("\"attestationCertificateKeyIdentifiers\":[\"\(Hex.encode(identifier))\"]"))
    let blob = try form.verify()
    #expect(blob.entry(certificateKeyIdentifier: identifier[...])?.certificateKeyIdentifiers == [identifier])
    #expect(blob.entry(certificateKeyIdentifier: [1]) == nil)
  }

  @Test func `corrupt tokens are refused and never trap`() throws {
    let form = try MetadataForm(MetadataForm.entry())
    let token = try form.token()
    try PropertyRuns.check(default: 500) { generator in
      let corrupted = Mutation.mutated(token, using: &generator)
      guard corrupted != token,
        let blob = try? MetadataBlob(verifying: corrupted, signedBy: form.signer, at: form.time)
      else { return }
      throw Forged(number: blob.number)
    }
  }

  @Test func `any signed payload is read or refused, and never traps`() throws {
    let roots = [[UInt8](try TestAuthority.root().certificate.der)]
    let entry = MetadataForm.entry(roots: roots, MetadataForm.report("REVOKED", "2024-01-01"))
    try PropertyRuns.check(default: 500) { generator in
      var form = try MetadataForm(entry, "{\"aaid\":\"1234#5678\",\"statusReports\":[]}")
      let seed = UInt64.random(in: .min ... .max, using: &generator)
      form.corrupt = { token in
        var generator = SeededGenerator(seed: seed)
        token.payload = Mutation.mutated(token.payload, using: &generator)
      }
      do {
        let blob = try form.verify()
        guard blob.entries.count + blob.refusedEntries.count <= 2 else { throw Forged(number: blob.number) }
      } catch let error as AttestationError {
        guard error.code.rawValue.hasPrefix("metadata.") else { throw error }
      }
    }
  }

  struct Forged: Error { let number: UInt64 }
}
