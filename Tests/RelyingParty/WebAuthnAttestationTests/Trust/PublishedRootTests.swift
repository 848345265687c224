// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct PublishedRootTests {
  @Test func `every root of each group can be read`() {
    let counts = Dictionary(grouping: PublishedRoot.all, by: \.group).mapValues(\.count)
    #expect(counts == [.apple: 1, .google: 4, .microsoft: 1, .tpm: 21])
    #expect(Set(PublishedRoot.all.map(\.certificate)).count == PublishedRoot.all.count)
  }

  @Test(arguments: PublishedRoot.all)
  func `a root is self-signed and was valid when the list was reviewed`(root: PublishedRoot) throws {
    let certificate = root.certificate
    #expect(certificate.isSelfIssued)
    #expect(certificate.notBefore <= PublishedRoot.checked && PublishedRoot.checked <= certificate.notAfter)
    let twin = try X509Certificate(der: Self.twin(of: certificate.der)[...])
    #expect(twin != certificate)
    var policy = CertificatePathPolicy()
    policy.sha1Signatures = .accepted
    // A leaf that equals the anchor except in encoding is issued by the anchor: the path is valid if the root's own
    // signature is.
    let path = try TrustStore([certificate]).validate(twin, at: PublishedRoot.checked, policy: policy)
    #expect(path.anchor == certificate)
  }

  /// Returns the same certificate in another encoding: the signature's count of unused bits is not covered by the
  /// signature.
  private static func twin(of der: Bytes) throws -> [UInt8] {
    var bytes = Array(der)
    let place = try DERReader.parse(bytes[...]) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        _ = try reader.read(.sequence)
        _ = try reader.read(.sequence)
        return try reader.read(.bitString).content.startIndex
      }
    }
    bytes[place] = 1
    return bytes
  }

  /// Recorded registrations of devices below a published root.
  private static let recorded = RegistrationCase.all.filter { registration in
    let roots = Set(PublishedRoot.all.map(\.certificate))
    return registration.isAccepted && VectorDivergence.of[registration.id] == nil
      && registration.anchors?.contains(where: roots.contains) == true
  }

  @Test(arguments: recorded)
  func `a recorded attestation is anchored to the published root of its owner`(registration: RegistrationCase) throws {
    var policy = registration.policy
    policy.trustAnchors = TrustAnchors(byFormat: PublishedRoot.anchors(of: [.apple, .google, .microsoft]))
    guard case .anchored(let root, _) = try registration.verify(policy).trust else {
      Issue.record("not anchored")
      return
    }
    #expect(registration.anchors?.contains(root) == true)
  }

  @Test func `each group anchors its format only`() {
    #expect(PublishedRoot.anchors(of: []).isEmpty)
    #expect(Set(PublishedRoot.anchors(of: [.apple, .google]).keys) == [.apple, .androidKey])
    #expect(PublishedRoot.anchors(of: [.microsoft, .tpm])[.tpm]?.count == 22)
    #expect(PublishedRoot.anchors(of: Set(PublishedRoot.Group.allCases))[.packed] == nil)
  }

  @Test func `a root is trusted only if a policy names its group`() {
    let policy = AttestationPolicy()
    #expect(policy.trustAnchors.metadata == nil)
  }
}
