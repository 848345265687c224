// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct RecordedCertificateTests {
  @Test func `reads every certificate as libcrypto does`() throws {
    let certificates = try RecordedCertificates.all()
    #expect(certificates.count > (SharedVectors.arePresent ? 250 : 30))
    for der in certificates {
      for certificate in try X509Certificate.readAll(der: der) {
        let expected = try #require(OpenSSLOracle.fields(of: certificate.der))
        #expect(
          OpenSSLOracle.Fields(
            version: certificate.version, serialNumber: Array(certificate.serialNumber),
            subject: Array(certificate.subject.encoded), issuer: Array(certificate.issuer.encoded),
            notBefore: certificate.notBefore, notAfter: certificate.notAfter,
            subjectPublicKeyInfo: Array(certificate.subjectPublicKeyInfo.encoded),
            extensionCount: certificate.extensions.count) == expected, "\(certificate)")
      }
    }
  }

  /// Valid paths that libcrypto rejects, each with its error number.
  private static let refusedByLibcrypto: [String: CInt] = [
    // The count of unused bits in the signature is wrong (7: signature failure).
    "java-webauthn-server/fido-u2f/SecurityKey": 7,
    // The authority key identifier does not match (20: no issuer found).
    "webauthn4j/android-safetynet/TestDataUtil": 20, "webauthn4j/android-key/TestDataUtil": 20,
    // libcrypto decodes the leaf's key, and OpenSSL before 3.5 lacks ML-DSA (1: unspecified).
    "java-webauthn-server/packed/BasicAttestationMlDsa44": 1, "java-webauthn-server/packed/BasicAttestationMlDsa65": 1,
    "java-webauthn-server/packed/BasicAttestationMlDsa87": 1,
  ]

  @Test func `accepts every path of a valid statement, as libcrypto does with listed exceptions`() throws {
    let paths = try RecordedCertificates.paths().filter(\.isWholeStatementGood)
    #expect(paths.count > (SharedVectors.arePresent ? 90 : 30))
    for path in paths {
      let store = TrustStore(try path.anchors.map { try X509Certificate(der: $0) })
      let chain = try path.chain.map { try X509Certificate(der: $0) }
      do {
        let validated = try store.validate(chain[0], through: Array(chain.dropFirst()), at: path.time)
        #expect(store.contains(validated.anchor))
      } catch {
        Issue.record("\(path): \(error)")
      }
      let verdict = OpenSSLOracle.verify(
        path.chain[0][...], through: path.chain.dropFirst().map { $0[...] }, to: path.anchors.map { $0[...] },
        at: path.time)
      let hasMLDSA = path.name.contains("MlDsa") && MLDSAImplementation.current == .libcrypto
      #expect(verdict == (hasMLDSA ? 0 : Self.refusedByLibcrypto[path.name] ?? 0), "\(path.name)")
    }
  }

  @Test func `rejects a certificate whose signature is modified`() throws {
    var count = 0
    for path in try RecordedCertificates.ownPaths() {
      let store = TrustStore(try path.anchors.map { try X509Certificate(der: $0) })
      var leaf = path.chain[0]
      leaf[leaf.count - 1] ^= 1
      // An anchor that is the leaf itself needs no signature.
      guard !path.anchors.contains(path.chain[0]) else { continue }
      let others = try path.chain.dropFirst().map { try X509Certificate(der: $0) }
      expect(.certificateInvalidSignature) {
        try store.validate(X509Certificate(der: leaf), through: others, at: path.time)
      }
      count += 1
    }
    #expect(count > 30)
  }

  // MARK: The metadata BLOB of December 2024

  private let december2024 = UnixTime(secondsSince1970: 1_735_257_600)
  private let september2024 = UnixTime(secondsSince1970: 1_725_148_800)

  private func globalSign() throws -> TrustStore {
    TrustStore([try X509Certificate(der: SharedVectors.bytes("mds/root-globalsign-r3.crt"))])
  }

  private func lists() throws -> [RevocationList] {
    try ["mds/root-r3.crl", "mds/gsextendvalsha2g3r3.crl"].map {
      try RevocationList(der: SharedVectors.bytes($0))
    }
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `the BLOB's signer chains to GlobalSign's root`() throws {
    let signers = try RecordedCertificates.metadataSigners().map { try X509Certificate(der: $0) }
    let path = try globalSign().validate(signers[0], through: Array(signers.dropFirst()), at: december2024)
    #expect(path.leaf.subject.commonName == "mds.fidoalliance.org")
    #expect(path.anchor.subject.organizationalUnit == "GlobalSign Root CA - R3")
    #expect(path.certificates.count == 3)
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `GlobalSign's lists are valid in their time and expired later`() throws {
    let signers = try RecordedCertificates.metadataSigners().map { try X509Certificate(der: $0) }
    let store = try globalSign()
    let lists = try lists()
    expect(.certificateRevocationListExpired) {
      try store.validate(signers[0], through: Array(signers.dropFirst()), at: december2024, revocationLists: lists)
    }
    var policy = CertificatePathPolicy()
    policy.revocation = .required
    let time = max(september2024, signers[0].notBefore)
    let path = try store.validate(
      signers[0], through: Array(signers.dropFirst()), at: time, revocationLists: lists, policy: policy)
    #expect(path.certificates.count == 3)
    policy.expiredRevocationLists = .used
    _ = try store.validate(
      signers[0], through: Array(signers.dropFirst()), at: december2024, revocationLists: lists, policy: policy)

    #expect(lists[0].issuer.commonName == "GlobalSign")
    #expect(lists[0].nextUpdate?.rfc3339 == "2024-10-15T00:00:00Z")
    #expect(lists[0].number == [62])
    #expect(lists[0].revocation(of: hex("0400000000013189c646ec"))?.date.rfc3339 == "2014-11-25T00:00:00Z")
    #expect(lists[0].revocation(of: hex("0400000000013189c646ec"))?.reason == 5)
    #expect(lists[1].revocation(of: hex("129668f159ffa8b0a4e9b0ce"))?.reason == nil)
    #expect(lists[1].count > 100)
  }
}
