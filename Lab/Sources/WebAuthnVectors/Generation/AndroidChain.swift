// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAuthenticator

/// The authorities above a key of Android's key store, with the names and the lengths of real chains.
package struct AndroidChain: Sendable {
  /// How the device got its batch certificate.
  let provisioning: Provisioning

  /// The validity of every certificate above the leaf.
  var validity = ScenarioDefaults.validity

  /// The name of the certificate that is not marked as that of an authority.
  var unmarked: String?

  /// Whether the root has the name of one of Google's roots.
  var isBelowGoogle = true

  /// Whether another authority stands between the intermediate authority and the batch.
  var hasSecondIntermediate = false

  enum Provisioning: Sendable {
    /// In the factory: root, intermediate authority, batch.
    case factory
    /// Through Google's servers: root, two authorities, batch.
    case remote
  }

  static let factory = Self(provisioning: .factory)
  static let remote = Self(provisioning: .remote)

  /// The validity of the root of 2016 and of the chains that were issued with it: 2016-05-26 to 2026-05-24.
  static let firstTenYears = UnixTime(secondsSince1970: 1_464_280_132)...UnixTime(secondsSince1970: 1_779_640_132)

  /// 2026-11-22, after ``firstTenYears``.
  static let timeAfter = UnixTime(secondsSince1970: 1_795_305_600)

  /// The factory chain of a device of the first years, whose batch certificate is not marked as that of an authority.
  static let oldFactory = {
    var chain = factory
    chain.validity = firstTenYears
    chain.unmarked = batch
    return chain
  }()

  static let batch = "batch"
  static let intermediate = "intermediate authority"
}

extension AndroidChain {
  /// Returns the root's certificate as an anchor; by default reissued, so that it is valid.
  func anchor(validity: ClosedRange<UnixTime> = ScenarioDefaults.validity) throws(PasskeyCryptoError) -> [UInt8] {
    let root = try root()
    return try root.root(serialNumber: [1], validity: validity).certificate(signedBy: root.key, .deterministic)
  }

  /// Returns the issuer of the leaf. Its path ends with the root, as on a device.
  func issuer() throws(PasskeyCryptoError) -> CertificateIssuer {
    let root = try root()
    var issuer = CertificateIssuer(name: root.name, key: root.key, path: [try anchor(validity: validity)])
    for (index, level) in levels.enumerated() {
      issuer = try authority(level, serialNumber: UInt8(0x10 + index), below: issuer)
    }
    return issuer
  }

  /// The labels and names of the authorities, that below the root first.
  private var levels: [(label: String, name: CertificateName)] {
    switch provisioning {
    case .factory:
      [(Self.intermediate, Self.numbered("87f4514475ba0a2b"))]
        + (hasSecondIntermediate ? [("second intermediate authority", Self.numbered("56a005014ee6c6f3"))] : [])
        + [(Self.batch, Self.numbered("3e7fb6a1ee4bd568"))]
    case .remote:
      [
        (Self.intermediate, Self.named("Droid CA2", of: "Google LLC")),
        ("server", Self.named("Droid CA3", of: "Google LLC")),
        (Self.batch, Self.named("d47babd8022133b423977644cbdd1cf1", of: "TEE")),
      ]
    }
  }

  func root() throws(PasskeyCryptoError) -> CertificateIssuer {
    guard isBelowGoogle else { return try VectorAuthorities.root() }
    let name =
      switch provisioning {
      case .factory: Self.numbered("f92009e853b6b045")
      case .remote:
        CertificateName(
          .init(.commonName, "Key Attestation CA1"), .init(.organizationalUnitName, "Android"),
          .init(.organizationName, "Google LLC"), .init(.countryName, "US"))
      }
    return CertificateIssuer(name: name, key: try ScenarioValues.key(of: "Android root"))
  }

  private func authority(
    _ level: (label: String, name: CertificateName), serialNumber: UInt8, below above: CertificateIssuer
  ) throws(PasskeyCryptoError) -> CertificateIssuer {
    let key = try ScenarioValues.key(of: "Android \(level.label)")
    var certificate = try above.authority(
      level.name, publicKey: key.publicKey, serialNumber: [serialNumber], validity: validity)
    if level.label == unmarked {
      certificate.extensions[0] = .basicConstraints(isAuthority: false)
      certificate.extensions[1] = .keyUsage(.digitalSignature)
    }
    let signed = try certificate.certificate(signedBy: above.key, .deterministic)
    return CertificateIssuer(name: level.name, key: key, path: [signed] + above.path)
  }

  private static func numbered(_ number: String) -> CertificateName {
    CertificateName(.init([2, 5, 4, 5], number))
  }

  private static func named(_ name: String, of organization: String) -> CertificateName {
    CertificateName(.init(.organizationName, organization), .init(.commonName, name))
  }
}
