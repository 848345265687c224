// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct IssuerKeyTests {
  private func validate(
    _ algorithm: COSEAlgorithm, _ scheme: SignatureForm, policy: CertificatePathPolicy = CertificatePathPolicy()
  ) throws -> X509Certificate.Path {
    let key = try TestKey.make("Issuer", algorithm)
    let root = try TestAuthority.root(key: key) { $0.scheme = scheme }
    let leaf = try root.leaf { $0.scheme = scheme }
    return try TrustStore([root.certificate]).validate(leaf, at: Moment.y2030, policy: policy)
  }

  @Test(arguments: [
    (COSEAlgorithm.es256, SignatureForm.ecdsaWithSHA256), (.es256, .ecdsaWithSHA384), (.es256, .ecdsaWithSHA512),
    (.es384, .ecdsaWithSHA256), (.es384, .ecdsaWithSHA384), (.es512, .ecdsaWithSHA512), (.es256k, .ecdsaWithSHA256),
    (.rs256, .rsaWithSHA256), (.rs256, .rsaWithSHA384), (.rs256, .rsaWithSHA512), (.rs256, .pssWithSHA256),
    (.ed25519, .ed25519), (.ed448, .ed448),
  ])
  func `supports every signature algorithm in use with every curve`(
    algorithm: COSEAlgorithm, scheme: SignatureForm
  ) throws {
    #expect(try validate(algorithm, scheme).certificates.count == 2)
  }

  @Test(arguments: [(COSEAlgorithm.es256, SignatureForm.ecdsaWithSHA1), (.rs256, .rsaWithSHA1)])
  func `accepts SHA-1 only if the policy allows it`(algorithm: COSEAlgorithm, scheme: SignatureForm) throws {
    expect(.certificateWeakSignature, "SHA-1") { try validate(algorithm, scheme) }
    var policy = CertificatePathPolicy()
    policy.sha1Signatures = .accepted
    #expect(try validate(algorithm, scheme, policy: policy).certificates.count == 2)
  }

  @Test func `ignores the anchor's own signature`() throws {
    let key = try TestKey.make("Issuer", .rs256)
    let root = try TestAuthority.root(key: key) { $0.scheme = .rsaWithSHA1 }
    let leaf = try root.leaf { $0.scheme = .rsaWithSHA256 }
    #expect(try TrustStore([root.certificate]).validate(leaf, at: Moment.y2030).anchor == root.certificate)
  }

  @Test func `rejects a signature algorithm of another key type`() throws {
    let root = try TestAuthority.root()
    let leaf = try TestAuthority.root(key: TestKey.make("RSA", .rs256)) { $0.scheme = .rsaWithSHA256 }
      .leaf { $0.scheme = .rsaWithSHA256 }
    expect(.certificateUnsupportedAlgorithm, "the issuer's key") {
      try TrustStore([root.certificate]).validate(leaf, at: Moment.y2030)
    }
  }

  @Test func `reports an unknown algorithm`() throws {
    let root = try TestAuthority.root()
    let md5 = SignatureForm(identifier: hex("300d06092a864886f70d0101040500"), scheme: .ecdsa(.sha256))
    expect(.certificateUnsupportedAlgorithm, "1.2.840.113549.1.1.4") {
      try TrustStore([root.certificate]).validate(root.leaf { $0.scheme = md5 }, at: Moment.y2030)
    }
  }

  @Test(arguments: [
    // Invalid parameters, and PSS with another salt length, another mask, no hash, or no parameters.
    "300e06082a8648ce3d0403020202 0001", "300c06082a8648ce3d04030230 00",
    "304106092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d010108300d06096086480165030402010500a203020121",
    "304106092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d010108300d06096086480165030402020500a203020120",
    "300d06092a864886f70d01010a3000", "300b06092a864886f70d01010a",
  ])
  func `rejects unsupported algorithm parameters`(identifier: String) throws {
    let root = try TestAuthority.root()
    let scheme = SignatureForm(identifier: hex(identifier), scheme: .ecdsa(.sha256))
    expect(.certificateUnsupportedAlgorithm, "signature algorithm") {
      try TrustStore([root.certificate]).validate(root.leaf { $0.scheme = scheme }, at: Moment.y2030)
    }
  }

  @Test func `rejects signatures of a malformed key`() throws {
    let root = try TestAuthority.root { $0.subjectPublicKeyInfo = hex("300a300506032b6570030100") }
    expect(.certificateUnsupportedAlgorithm, "the issuer's key") {
      try TrustStore([root.certificate]).validate(root.leaf(), at: Moment.y2030)
    }
  }

  @Test func `one store serves many threads`() async throws {
    let root = try TestAuthority.root()
    let store = TrustStore([root.certificate])
    let leaf = try root.leaf()
    let anchors = try await withThrowingTaskGroup(of: X509Certificate.self) { group in
      for _ in 0..<64 { group.addTask { try store.validate(leaf, at: Moment.y2030).anchor } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(anchors == [root.certificate])
  }
}
