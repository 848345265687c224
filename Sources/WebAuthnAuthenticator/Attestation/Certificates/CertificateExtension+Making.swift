// SPDX-License-Identifier: Apache-2.0

public import COSE
public import SystemCrypto
public import WireFormats

// The extensions that attestation certificates have (RFC 5280 §4.2.1), each as whoever makes one writes it.

extension CertificateExtension {
  /// An extension whose value the closure writes.
  public static func making(
    _ identifier: ObjectIdentifier, isCritical: Bool = false, _ value: (inout DERWriter) -> Void
  ) -> Self {
    var writer = DERWriter()
    value(&writer)
    return Self(identifier, isCritical: isCritical, value: writer.bytes[...])
  }

  /// Whether the subject may issue certificates, and how many authorities may stand below it. Critical; what is false by
  /// default is not written.
  public static func basicConstraints(isAuthority: Bool, pathLength: UInt8? = nil) -> Self {
    making(.basicConstraints, isCritical: true) { (writer) in
      writer.writeSequence { (writer) in
        if isAuthority { writer.writeBoolean(true) }
        if let pathLength { writer.writeInteger(Int64(pathLength)) }
      }
    }
  }

  /// What the key is for. Critical.
  public static func keyUsage(_ usage: KeyUsage) -> Self {
    making(.keyUsage, isCritical: true) { (writer) in
      writer.writeBitString(named: Set((0..<9).filter { usage.rawValue >> UInt16($0) & 1 == 1 }))
    }
  }

  /// The purposes that the key is for.
  public static func extendedKeyUsage(_ purposes: [ObjectIdentifier]) -> Self {
    making(.extendedKeyUsage) { (writer) in
      writer.writeSequence { for purpose in purposes { $0.writeObjectIdentifier(purpose) } }
    }
  }

  /// The name of the subject's key: SHA-1 of its bits (§4.2.1.2, the first way).
  public static func subjectKeyIdentifier(_ key: COSEKey) throws(CryptoError) -> Self {
    let identifier = try key.keyIdentifier
    return making(.subjectKeyIdentifier) { $0.writeOctetString(identifier[...]) }
  }

  /// The name of the issuer's key, and of nothing else that §4.2.1.1 allows.
  public static func authorityKeyIdentifier(_ key: COSEKey) throws(CryptoError) -> Self {
    let identifier = try key.keyIdentifier
    return making(.authorityKeyIdentifier) { (writer) in
      writer.writeSequence { $0.writeOctetString(identifier[...], tag: .context(0)) }
    }
  }

  /// Other names of the subject: one directory name. Critical, as it must be where the subject is empty (§4.2.1.6).
  public static func subjectAlternativeName(directory name: CertificateName) -> Self {
    making(.subjectAlternativeName, isCritical: true) { (writer) in
      writer.writeSequence { (writer) in writer.writeExplicit(4) { name.write(to: &$0) } }
    }
  }

  /// Other names of the subject: host names.
  public static func subjectAlternativeName(hosts names: [String]) -> Self {
    making(.subjectAlternativeName) { (writer) in
      writer.writeSequence { (writer) in
        for name in names { writer.write(.context(2), content: [UInt8](name.utf8)[...]) }
      }
    }
  }
}

extension COSEKey {
  fileprivate var keyIdentifier: [UInt8] {
    get throws(CryptoError) {
      let info = try subjectPublicKeyInfo
      do throws(WireError) {
        return Digest.legacySHA1(try SubjectPublicKeyInfo(der: info[...]).key)
      } catch {
        throw CryptoError(.malformedKey, error)
      }
    }
  }
}
