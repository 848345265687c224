// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct CertificatePropertyTests {
  /// The first element inside the outer sequence, which the signature covers.
  private func signedBytes(_ der: Bytes) throws -> Bytes {
    var reader = DERReader(der)
    return try reader.readElement().readContent { (reader) throws(WireError) in
      let signed = try reader.readElement()
      _ = try (reader.readElement(), reader.readElement())
      return signed.encoded
    }
  }

  @Test func `a mutated certificate does not trap and is not accepted`() throws {
    let root = try TestAuthority.root()
    let store = TrustStore([root.certificate])
    let seed = Array(
      try root.leaf {
        $0.extensions += [
          CertificateForm.keyUsage([0]),
          CertificatePart.extension(.extendedKeyUsage) { $0.writeSequence { $0.writeObjectIdentifier([1, 3, 6, 1]) } },
          CertificatePart.extension(.subjectKeyIdentifier) { $0.writeOctetString([1, 2]) },
          CertificatePart.extension(.authorityKeyIdentifier) {
            $0.writeSequence { $0.writeOctetString([3], tag: .context(0)) }
          },
        ]
      }.der)
    let signed = try signedBytes(seed[...])
    var read = 0
    try PropertyRuns.check(default: 20_000) { generator in
      let corrupted = Mutation.mutated(seed, using: &generator)
      guard let certificate = try? X509Certificate(der: corrupted) else { return }
      read += 1
      _ = (certificate.description, certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier)
      if (try? store.validate(certificate, through: [certificate], at: Moment.y2030)) != nil {
        try #require(try signedBytes(corrupted[...]) == signed)
      }
    }
    #expect(read > 100)
  }

  @Test func `a mutated list does not trap and is not accepted`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf()
    let store = TrustStore([root.certificate])
    var form = RevocationListForm(of: "Root")
    form.revoke([0x05], reason: 1)
    form.revoke([0x06])
    form.extensions = [CertificatePart.extension([2, 5, 29, 20]) { $0.writeInteger(1) }]
    let seed = try form.signed(by: root.key)
    let signed = try signedBytes(seed[...])
    var read = 0
    try PropertyRuns.check(default: 20_000) { generator in
      let corrupted = Mutation.mutated(seed, using: &generator)
      guard let list = try? RevocationList(der: corrupted) else { return }
      read += 1
      guard list.issuer == root.certificate.subject else { return }
      if (try? store.validate(leaf, at: Moment.y2030, revocationLists: [list])) != nil {
        try #require(try signedBytes(corrupted[...]) == signed)
      }
    }
    #expect(read > 100)
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `reading allocates at most a small multiple of its input`() throws {
    let seeds = try RecordedCertificates.all()
    try PropertyRuns.check(default: 5_000) { generator in
      let corrupted = Mutation.mutated(try #require(seeds.randomElement(using: &generator)), using: &generator)
      let allocated = AllocationCounter.bytes { try? X509Certificate(der: corrupted) }
      // The Swift runtime may allocate on the first use of a type.
      try #require(allocated <= 16 * corrupted.count + 16_384, "\(allocated) bytes for \(corrupted.count)")
    }
  }

  @Test func `mutated certificates do not trap`() throws {
    let seeds = try RecordedCertificates.all()
    try PropertyRuns.check(default: 20_000) { generator in
      let seed = try #require(seeds.randomElement(using: &generator))
      let other = try #require(seeds.randomElement(using: &generator))
      let isCrossed = Int.random(in: 0..<4, using: &generator) == 0
      let corrupted =
        isCrossed
        ? Mutation.crossed(seed, other, using: &generator) : Mutation.mutated(seed, using: &generator)
      guard let certificate = try? X509Certificate(der: corrupted) else { return }
      _ = (certificate.description, certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier)
      try #require(Array(certificate.der) == corrupted)
    }
  }
}
