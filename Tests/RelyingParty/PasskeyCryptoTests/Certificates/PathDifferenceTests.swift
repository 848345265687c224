// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Compares our path validation with libcrypto's on small random certificate graphs.
///
/// The graphs avoid known differences: libcrypto accepts key usage instead of basic constraints, takes every
/// certificate with equal names for a root, and enforces an anchor's path length. It also searches only one path, so
/// the test requires that we accept what libcrypto accepts with all certificates, and that libcrypto accepts our path.
@Suite struct PathDifferenceTests {
  private struct World {
    let certificates: [X509Certificate]
    let leaf: X509Certificate
    let anchors: [X509Certificate]

    init(using generator: inout SeededGenerator, keys: [SigningKey]) throws {
      certificates = try (0..<6).map { number in try Self.certificate(number, using: &generator, keys: keys) }
      leaf = certificates[0]
      anchors = certificates.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
    }

    private static func certificate(
      _ number: Int, using generator: inout SeededGenerator, keys: [SigningKey]
    ) throws -> X509Certificate {
      // Number 0 is the leaf. Most names always have the same key.
      let subject = number == 0 ? 0 : Int.random(in: 1..<4, using: &generator)
      let issuer = Int.random(in: 1..<4, using: &generator)
      let isForged = Int.random(in: 0..<12, using: &generator) == 0
      var form = try CertificateForm(of: "N\(subject)", key: keys[subject], from: "N\(issuer)")
      form.serialNumber = [UInt8(number)]
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: form.notAfter = Moment.y2020
      case 1: form.notBefore = Moment.y2040
      default: break
      }
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: form.extensions = []
      case 1: form.extensions = [CertificatePart.extension(.basicConstraints) { $0.writeSequence { _ in } }]
      case 2: form.extensions = [CertificateForm.authority(pathLength: 0)]
      case 3: form.extensions = [CertificateForm.authority(pathLength: 1)]
      case 4: form.extensions = [CertificateForm.authority(), CertificateForm.keyUsage([0])]
      case 5: form.extensions = [CertificateForm.authority(), CertificateForm.keyUsage([5])]
      default: form.extensions = [CertificateForm.authority()]
      }
      if Int.random(in: 0..<10, using: &generator) == 0 {
        form.extensions.append(CertificatePart.extension([1, 2, 3], isCritical: true) { $0.writeNull() })
      }
      return try form.certificate(signedBy: keys[isForged ? 0 : issuer])
    }
  }

  @Test func `agrees with libcrypto on random certificate graphs`() throws {
    let keys = try (0..<4).map { try TestKey.make("World \($0)") }
    var believed = 0
    try PropertyRuns.check(default: 600) { generator in
      let world = try World(using: &generator, keys: keys)
      let others = Array(world.certificates.dropFirst())
      let path = try? TrustStore(world.anchors).validate(world.leaf, through: others, at: Moment.y2030)
      if let path {
        believed += 1
        let between = path.certificates.dropFirst().dropLast()
        let anchorReaches = path.anchor.basicConstraints?.pathLength ?? .max
        guard !between.contains(where: \.isSelfIssued), between.count <= anchorReaches else { return }
        let verdict = OpenSSLOracle.verify(
          world.leaf.der, through: between.map(\.der), to: [path.anchor.der], at: Moment.y2030)
        try #require(verdict == 0, "libcrypto refuses for reason \(verdict)")
      } else {
        let verdict = OpenSSLOracle.verify(
          world.leaf.der, through: others.map(\.der), to: world.anchors.map(\.der), at: Moment.y2030)
        try #require(verdict != 0, "libcrypto believes")
      }
    }
    #expect(believed > 100)
  }
}
