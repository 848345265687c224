// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport

/// A certificate authority for tests: a name, a key and a certificate.
struct TestAuthority {
  let name: String
  let key: SigningKey
  let certificate: X509Certificate

  /// Creates a self-signed root.
  static func root(
    _ name: String = "Root", key: SigningKey? = nil, _ corrupt: (inout CertificateForm) throws -> Void = { _ in }
  ) throws -> Self {
    let key = try key ?? TestKey.make(name)
    var form = try CertificateForm(of: name, key: key, from: name)
    form.extensions = [CertificateForm.authority(), CertificateForm.keyUsage([5, 6])]
    try corrupt(&form)
    return Self(name: name, key: key, certificate: try form.certificate(signedBy: key))
  }

  /// Creates an authority below this one.
  func authority(
    _ name: String = "Intermediate", key: SigningKey? = nil,
    _ corrupt: (inout CertificateForm) throws -> Void = { _ in }
  ) throws -> Self {
    let key = try key ?? TestKey.make(name)
    var form = try CertificateForm(of: name, key: key, from: self.name)
    form.extensions = [CertificateForm.authority(), CertificateForm.keyUsage([5, 6])]
    try corrupt(&form)
    return Self(name: name, key: key, certificate: try form.certificate(signedBy: self.key))
  }

  /// Creates a leaf below this authority.
  func leaf(
    _ name: String = "Leaf", _ corrupt: (inout CertificateForm) throws -> Void = { _ in }
  ) throws -> X509Certificate {
    var form = try CertificateForm(of: name, key: TestKey.make(name), from: self.name)
    form.extensions = [CertificatePart.extension(.basicConstraints, isCritical: true) { $0.writeSequence { _ in } }]
    try corrupt(&form)
    return try form.certificate(signedBy: key)
  }

  /// Creates a revocation list of this authority.
  func revocationList(_ corrupt: (inout RevocationListForm) throws -> Void = { _ in }) throws -> RevocationList {
    var form = RevocationListForm(of: name)
    try corrupt(&form)
    return try RevocationList(der: form.signed(by: key))
  }
}
