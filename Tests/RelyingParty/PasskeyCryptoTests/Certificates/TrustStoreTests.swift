// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct TrustStoreTests {
  @Test func `accepts a leaf below a root and names the anchor`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf()
    let path = try TrustStore([root.certificate]).validate(leaf, at: Moment.y2030)
    #expect(path.certificates == [leaf, root.certificate])
    #expect(path.leaf == leaf)
    #expect(path.anchor == root.certificate)
    #expect(path.time == Moment.y2030)
  }

  @Test func `accepts intermediates in any order`() throws {
    let root = try TestAuthority.root()
    let first = try root.authority("First")
    let second = try first.authority("Second")
    let stranger = try TestAuthority.root("Stranger")
    let leaf = try second.leaf()
    for intermediates in [
      [first, second], [second, first], [stranger, second, first, root], [first, second, second],
    ] {
      let path = try TrustStore([root.certificate])
        .validate(leaf, through: intermediates.map(\.certificate), at: Moment.y2030)
      #expect(path.certificates == [leaf, second.certificate, first.certificate, root.certificate])
    }
  }

  @Test func `finds an issuer by a name with other case, spaces and string types`() throws {
    let root = try TestAuthority.root("Example Root")
    let authority = try root.authority("Example CA") { $0.issuer = try Self.printableName("EXAMPLE  ROOT") }
    let leaf = try authority.leaf { $0.issuer = try Self.printableName("example ca ") }
    let store = TrustStore([root.certificate])
    let path = try store.validate(leaf, through: [authority.certificate], at: Moment.y2030)
    #expect(path.certificates == [leaf, authority.certificate, root.certificate])
    // The issuer's revocation list is found in the same way.
    let list = try authority.revocationList { $0.revoke(Array(leaf.serialNumber)) }
    expect(.certificateRevoked) {
      try store.validate(leaf, through: [authority.certificate], at: Moment.y2030, revocationLists: [list])
    }
  }

  private static func printableName(_ commonName: String) throws -> [UInt8] {
    var writer = DERWriter()
    var attribute = DERWriter()
    attribute.writeObjectIdentifier(.commonName)
    try attribute.writePrintableString(commonName)
    writer.writeSequence { $0.write(.set) { $0.write(.sequence, content: attribute.bytes) } }
    return writer.bytes
  }

  @Test func `an intermediate may be an anchor, and the path ends there`() throws {
    let intermediate = try TestAuthority.root().authority()
    let leaf = try intermediate.leaf()
    let path = try TrustStore([intermediate.certificate]).validate(leaf, at: Moment.y2030)
    #expect(path.certificates == [leaf, intermediate.certificate])
  }

  @Test func `a leaf may be an anchor`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf()
    let path = try TrustStore([leaf]).validate(leaf, at: Moment.y2030)
    #expect(path.certificates == [leaf])
    #expect(path.anchor == leaf)
    let sameName = try root.leaf { $0.serialNumber = [0x2b] }
    expect(.certificateUnknownAuthority, "CN=Root") { try TrustStore([leaf]).validate(sameName, at: Moment.y2030) }
  }

  @Test func `does not trust certificates sent with the leaf`() throws {
    let root = try TestAuthority.root()
    let intermediate = try root.authority()
    let leaf = try intermediate.leaf()
    let other = try TestAuthority.root("Other")
    expect(.certificateUnknownAuthority, "CN=Root") {
      try TrustStore([other.certificate])
        .validate(leaf, through: [intermediate.certificate, root.certificate], at: Moment.y2030)
    }
    expect(.certificateUnknownAuthority) { try TrustStore([]).validate(leaf, through: [leaf], at: Moment.y2030) }
  }

  @Test func `a root of the anchor's name with another key is not the anchor`() throws {
    let root = try TestAuthority.root()
    let impostor = try TestAuthority.root(key: TestKey.make("Impostor"))
    expect(.certificateInvalidSignature) {
      try TrustStore([root.certificate]).validate(impostor.leaf(), at: Moment.y2030)
    }
    expect(.certificateInvalidSignature) {
      try TrustStore([root.certificate])
        .validate(impostor.leaf(), through: [impostor.certificate], at: Moment.y2030)
    }
  }

  @Test func `tries all anchors with the same name`() throws {
    let old = try TestAuthority.root(key: TestKey.make("Old"))
    let new = try TestAuthority.root(key: TestKey.make("New"))
    let store = TrustStore([old.certificate, new.certificate, old.certificate])
    #expect(store.anchors == [old.certificate, new.certificate])
    #expect(try store.validate(old.leaf(), at: Moment.y2030).anchor == old.certificate)
    #expect(try store.validate(new.leaf(), at: Moment.y2030).anchor == new.certificate)
  }

  @Test func `a failed path does not hide a valid one`() throws {
    let root = try TestAuthority.root()
    let key = try TestKey.make("Intermediate")
    let expired = try root.authority(key: key) { $0.notAfter = Moment.y2020 }
    let renewed = try root.authority(key: key)
    let leaf = try renewed.leaf()
    let path = try TrustStore([root.certificate])
      .validate(leaf, through: [expired.certificate, renewed.certificate], at: Moment.y2030)
    #expect(path.certificates[1] == renewed.certificate)
  }

  // MARK: Dates

  @Test func `the validity period of a leaf includes both ends`() throws {
    let root = try TestAuthority.root { ($0.notBefore, $0.notAfter) = (Moment.y2000, Moment.y2050) }
    let leaf = try root.leaf()
    let store = TrustStore([root.certificate])
    _ = try store.validate(leaf, at: Moment.y2020)
    _ = try store.validate(leaf, at: Moment.y2040)
    expect(.certificateNotYetValid, "CN=Leaf: from 2020-01-01T00:00:00Z, at 2019-12-31T23:59:59Z") {
      try store.validate(leaf, at: Moment.y2020 - .seconds(1))
    }
    expect(.certificateExpired, "CN=Leaf: until 2040-01-01T00:00:00Z") {
      try store.validate(leaf, at: Moment.y2040 + .seconds(1))
    }
  }

  @Test func `rejects an authority outside its validity period`() throws {
    let root = try TestAuthority.root { $0.notBefore = Moment.y2000 }
    let intermediate = try root.authority { $0.notAfter = Moment.y2020 }
    let future = try root.authority("Future") { $0.notBefore = Moment.y2040 }
    let store = TrustStore([root.certificate])
    expect(.certificateExpired, "CN=Intermediate") {
      try store.validate(intermediate.leaf(), through: [intermediate.certificate], at: Moment.y2030)
    }
    expect(.certificateNotYetValid, "CN=Future") {
      try store.validate(future.leaf(), through: [future.certificate], at: Moment.y2030)
    }
  }

  @Test func `checks the validity period of an anchor unless the policy ignores it`() throws {
    let root = try TestAuthority.root { $0.notAfter = Moment.y2020 }
    let leaf = try root.leaf()
    let store = TrustStore([root.certificate])
    expect(.certificateExpired, "CN=Root") { try store.validate(leaf, at: Moment.y2030) }
    var policy = CertificatePathPolicy()
    policy.anchorDates = .ignored
    _ = try store.validate(leaf, at: Moment.y2030, policy: policy)
    // A leaf that is an anchor still expires.
    expect(.certificateExpired, "CN=Leaf") { try TrustStore([leaf]).validate(leaf, at: Moment.y2050, policy: policy) }
  }

  // MARK: Who may issue

  @Test func `only an authority may issue`() throws {
    let root = try TestAuthority.root()
    let store = TrustStore([root.certificate])
    for extensions in [
      [], [CertificateForm.keyUsage([5])], [CertificatePart.extension(.basicConstraints) { $0.writeSequence { _ in } }],
    ] {
      let impostor = try root.authority { $0.extensions = extensions }
      expect(.certificateNotAnAuthority, "CN=Intermediate") {
        try store.validate(impostor.leaf(), through: [impostor.certificate], at: Moment.y2030)
      }
    }
  }

  @Test func `rejects an issuer without the keyCertSign usage`() throws {
    let root = try TestAuthority.root()
    let impostor = try root.authority {
      $0.extensions = [CertificateForm.authority(), CertificateForm.keyUsage([0, 6])]
    }
    expect(.certificateKeyUsage, "CN=Intermediate may not sign certificates") {
      try TrustStore([root.certificate])
        .validate(impostor.leaf(), through: [impostor.certificate], at: Moment.y2030)
    }
    let silent = try root.authority { $0.extensions = [CertificateForm.authority()] }
    _ = try TrustStore([root.certificate]).validate(silent.leaf(), through: [silent.certificate], at: Moment.y2030)
  }

  @Test func `accepts a version 1 anchor without basic constraints`() throws {
    let version1 = try TestAuthority.root { ($0.version, $0.extensions) = (1, []) }
    _ = try TrustStore([version1.certificate]).validate(version1.leaf(), at: Moment.y2030)
    let byKeyUsage = try TestAuthority.root { $0.extensions = [CertificateForm.keyUsage([5])] }
    _ = try TrustStore([byKeyUsage.certificate]).validate(byKeyUsage.leaf(), at: Moment.y2030)
    let silent = try TestAuthority.root { $0.extensions = [] }
    expect(.certificateNotAnAuthority) {
      try TrustStore([silent.certificate]).validate(silent.leaf(), at: Moment.y2030)
    }
    let notOne = try TestAuthority.root {
      $0.extensions = [CertificatePart.extension(.basicConstraints) { $0.writeSequence { _ in } }]
    }
    expect(.certificateNotAnAuthority) {
      try TrustStore([notOne.certificate]).validate(notOne.leaf(), at: Moment.y2030)
    }
  }

  @Test func `a version 1 intermediate may not issue`() throws {
    let root = try TestAuthority.root()
    let old = try root.authority { ($0.version, $0.extensions) = (1, []) }
    expect(.certificateNotAnAuthority) {
      try TrustStore([root.certificate]).validate(old.leaf(), through: [old.certificate], at: Moment.y2030)
    }
  }

  // MARK: Lengths

  @Test func `enforces the path length of an authority`() throws {
    let root = try TestAuthority.root()
    let bound = try root.authority("Bound") {
      $0.extensions = [CertificateForm.authority(pathLength: 1), CertificateForm.keyUsage([5])]
    }
    let first = try bound.authority("First")
    let second = try first.authority("Second")
    let store = TrustStore([root.certificate])
    _ = try store.validate(first.leaf(), through: [first, bound].map(\.certificate), at: Moment.y2030)
    expect(.certificatePathTooLong, "CN=Bound allows 1") {
      try store.validate(second.leaf(), through: [second, first, bound].map(\.certificate), at: Moment.y2030)
    }
  }

  @Test func `self-issued certificates do not count toward the path length`() throws {
    let root = try TestAuthority.root()
    let bound = try root.authority("Bound") {
      $0.extensions = [CertificateForm.authority(pathLength: 0), CertificateForm.keyUsage([5])]
    }
    let renewed = try bound.authority("Bound", key: TestKey.make("Renewed"))
    let path = try TrustStore([root.certificate])
      .validate(renewed.leaf(), through: [renewed.certificate, bound.certificate], at: Moment.y2030)
    #expect(path.certificates.count == 4)
  }

  @Test func `ignores the path length of an anchor`() throws {
    let root = try TestAuthority.root {
      $0.extensions = [CertificateForm.authority(pathLength: 0), CertificateForm.keyUsage([5])]
    }
    let intermediate = try root.authority()
    let path = try TrustStore([root.certificate])
      .validate(intermediate.leaf(), through: [intermediate.certificate], at: Moment.y2030)
    #expect(path.certificates.count == 3)
  }

  @Test func `enforces the maximum path length of the policy`() throws {
    var authorities = [try TestAuthority.root()]
    for number in 1...7 {
      authorities.append(try authorities[number - 1].authority("A\(number)"))
    }
    let store = TrustStore([authorities[0].certificate])
    let intermediates = authorities.dropFirst().map(\.certificate)
    #expect(try store.validate(authorities[6].leaf(), through: intermediates, at: Moment.y2030).certificates.count == 8)
    expect(.certificatePathTooLong, "more than 8") {
      try store.validate(authorities[7].leaf(), through: intermediates, at: Moment.y2030)
    }
    var policy = CertificatePathPolicy()
    policy.maximumLength = 9
    _ = try store.validate(authorities[7].leaf(), through: intermediates, at: Moment.y2030, policy: policy)
  }

  @Test func `rejects too many intermediates`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf()
    let many = [X509Certificate](repeating: leaf, count: 17)
    _ = try TrustStore([root.certificate]).validate(leaf, through: Array(many.prefix(16)), at: Moment.y2030)
    expect(.certificatePathTooLong, "17 intermediates") {
      try TrustStore([root.certificate]).validate(leaf, through: many, at: Moment.y2030)
    }
  }

  @Test func `bounds the search among authorities that sign each other`() throws {
    // All certificates have the same name and key, so every order is a possible path: 16! orders.
    let root = try TestAuthority.root("Loop")
    let loop = try (0..<16).map { number in
      try root.authority("Loop", key: root.key) { $0.serialNumber = [UInt8(number)] }.certificate
    }
    let other = try TestAuthority.root("Other")
    var policy = CertificatePathPolicy()
    policy.maximumLength = 100
    expect(.certificatePathTooComplex) {
      try TrustStore([other.certificate]).validate(root.leaf(), through: loop, at: Moment.y2030, policy: policy)
    }
  }

  // MARK: Extensions

  @Test func `rejects an unsupported critical extension on every certificate`() throws {
    let strange = CertificatePart.extension([1, 2, 3], isCritical: true) { $0.writeNull() }
    let root = try TestAuthority.root()
    let leaf = try root.leaf { $0.extensions.append(strange) }
    let intermediate = try root.authority { $0.extensions.append(strange) }
    let store = TrustStore([root.certificate])
    expect(.certificateUnhandledCriticalExtension, "1.2.3") { try store.validate(leaf, at: Moment.y2030) }
    expect(.certificateUnhandledCriticalExtension, "1.2.3") { try TrustStore([leaf]).validate(leaf, at: Moment.y2030) }
    expect(.certificateUnhandledCriticalExtension, "1.2.3") {
      try store.validate(intermediate.leaf(), through: [intermediate.certificate], at: Moment.y2030)
    }
    var policy = CertificatePathPolicy()
    policy.handledCriticalExtensions = [[1, 2, 3]]
    _ = try store.validate(leaf, at: Moment.y2030, policy: policy)
  }

  @Test func `ignores extensions that are not critical`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf { $0.extensions.append(CertificatePart.extension([1, 2, 3]) { $0.writeNull() }) }
    _ = try TrustStore([root.certificate]).validate(leaf, at: Moment.y2030)
  }

  @Test func `ignores policies, even critical and malformed ones`() throws {
    let root = try TestAuthority.root()
    let policies = CertificatePart.extension(.certificatePolicies, isCritical: true) {
      $0.write(encoded: [0x30, 0x05])
    }
    let leaf = try root.leaf { $0.extensions.append(policies) }
    _ = try TrustStore([root.certificate]).validate(leaf, at: Moment.y2030)
  }

  @Test func `rejects an authority with name constraints`() throws {
    let root = try TestAuthority.root()
    for isCritical in [true, false] {
      let bound = try root.authority {
        $0.extensions.append(
          CertificatePart.extension(.nameConstraints, isCritical: isCritical) { $0.writeSequence { _ in } })
      }
      expect(.certificateUnhandledCriticalExtension, "2.5.29.30") {
        try TrustStore([root.certificate]).validate(bound.leaf(), through: [bound.certificate], at: Moment.y2030)
      }
    }
  }

  @Test func `rejects an authority that requires a policy`() throws {
    let root = try TestAuthority.root()
    let asking = try root.authority {
      $0.extensions.append(
        CertificatePart.extension([2, 5, 29, 36], isCritical: true) { $0.write(encoded: hex("3003800100")) })
    }
    expect(.certificateUnhandledCriticalExtension, "2.5.29.36") {
      try TrustStore([root.certificate]).validate(asking.leaf(), through: [asking.certificate], at: Moment.y2030)
    }
  }

  @Test func `ignores key identifiers that do not match`() throws {
    let root = try TestAuthority.root {
      $0.extensions.append(CertificatePart.extension(.subjectKeyIdentifier) { $0.writeOctetString([1]) })
    }
    let leaf = try root.leaf {
      $0.extensions.append(
        CertificatePart.extension(.authorityKeyIdentifier) {
          $0.writeSequence { $0.writeOctetString([2], tag: .context(0)) }
        })
    }
    _ = try TrustStore([root.certificate]).validate(leaf, at: Moment.y2030)
  }

  @Test func `accepts a leaf without basic constraints and purposes`() throws {
    let root = try TestAuthority.root()
    _ = try TrustStore([root.certificate]).validate(root.leaf { $0.extensions = [] }, at: Moment.y2030)
    let server = CertificatePart.extension(.extendedKeyUsage, isCritical: true) {
      $0.writeSequence { $0.writeObjectIdentifier([2, 23, 133, 8, 3]) }
    }
    _ = try TrustStore([root.certificate]).validate(root.leaf { $0.extensions = [server] }, at: Moment.y2030)
  }
}
