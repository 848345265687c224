// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats

// Builders for the extensions of attestation certificates (RFC 5280 §4.2.1).

extension CertificateExtension {
  /// Returns an extension whose value the closure writes.
  package static func making(
    _ identifier: DERObjectIdentifier, isCritical: Bool = false, _ value: (inout DERWriter) -> Void
  ) -> Self {
    var writer = DERWriter()
    value(&writer)
    return Self(identifier, isCritical: isCritical, value: writer.bytes)
  }

  /// Returns the Basic Constraints extension: whether the subject is a CA, and its maximum path length. Critical.
  /// DEFAULT values are omitted.
  package static func basicConstraints(isAuthority: Bool, pathLength: UInt8? = nil) -> Self {
    making(.basicConstraints, isCritical: true) { (writer) in
      writer.writeSequence { (writer) in
        if isAuthority { writer.writeBoolean(true) }
        if let pathLength { writer.writeInteger(Int64(pathLength)) }
      }
    }
  }

  /// Returns the Key Usage extension. Critical.
  package static func keyUsage(_ usage: KeyUsage) -> Self {
    making(.keyUsage, isCritical: true) { (writer) in
      writer.writeBitString(named: Set((0..<9).filter { usage.rawValue >> UInt16($0) & 1 == 1 }))
    }
  }

  /// Returns the Extended Key Usage extension.
  package static func extendedKeyUsage(_ purposes: [DERObjectIdentifier]) -> Self {
    making(.extendedKeyUsage) { (writer) in
      writer.writeSequence { for purpose in purposes { $0.writeObjectIdentifier(purpose) } }
    }
  }

  /// Returns the Subject Key Identifier extension: SHA-1 of the key's BIT STRING (§4.2.1.2, method 1).
  ///
  /// - Throws: `crypto.unsupported-algorithm` for a key that has no SubjectPublicKeyInfo.
  package static func subjectKeyIdentifier(_ key: COSEKey) throws(PasskeyCryptoError) -> Self {
    let identifier = try key.keyIdentifier
    return making(.subjectKeyIdentifier) { $0.writeOctetString(identifier) }
  }

  /// Returns the Authority Key Identifier extension with only the key identifier (§4.2.1.1).
  ///
  /// - Throws: `crypto.unsupported-algorithm` for a key that has no SubjectPublicKeyInfo.
  package static func authorityKeyIdentifier(_ key: COSEKey) throws(PasskeyCryptoError) -> Self {
    let identifier = try key.keyIdentifier
    return making(.authorityKeyIdentifier) { (writer) in
      writer.writeSequence { $0.writeOctetString(identifier, tag: .context(0)) }
    }
  }

  /// Returns the Subject Alternative Name extension with one directory name. Critical, as an empty subject requires
  /// (§4.2.1.6).
  package static func subjectAlternativeName(directory name: CertificateName) -> Self {
    making(.subjectAlternativeName, isCritical: true) { (writer) in
      writer.writeSequence { (writer) in writer.writeExplicit(4) { name.write(to: &$0) } }
    }
  }

  /// Returns the Subject Alternative Name extension with DNS names.
  package static func subjectAlternativeName(hosts names: [String]) -> Self {
    making(.subjectAlternativeName) { (writer) in
      writer.writeSequence { (writer) in
        for name in names { writer.write(.context(2), content: [UInt8](name.utf8)) }
      }
    }
  }
}

extension COSEKey {
  fileprivate var keyIdentifier: [UInt8] {
    get throws(PasskeyCryptoError) {
      let info = try subjectPublicKeyInfo
      return try mapError(Digest.legacySHA1(SubjectPublicKeyInfo(der: info).key)) { (error: WireError) in
        PasskeyCryptoError(.malformedKey, error)
      }
    }
  }
}
