// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// The metadata that a server needs for FIDO's server tests: one valid BLOB, and four that it must refuse.
package struct FIDOMetadata: Sendable {
  /// A BLOB of the metadata service.
  package struct Blob: Sendable {
    /// The name of its file.
    package let name: String
    /// The token.
    package let token: [UInt8]
  }

  /// The BLOBs. The first is valid.
  package let blobs: [Blob]

  /// The certificate of the root, below which a BLOB must be signed.
  package let anchor: [UInt8]

  /// The revocation lists of the authorities that sign BLOBs.
  package let revocationLists: [[UInt8]]

  /// The files that a server reads: the BLOBs, the certificate of the root, and the revocation lists.
  package var files: [(name: String, bytes: [UInt8])] {
    blobs.map { (name: "\($0.name).jwt", bytes: $0.token) } + [(name: "root.cer", bytes: anchor)]
      + revocationLists.enumerated().map { (name: "\($0.offset + 1).crl", bytes: $0.element) }
  }

  /// Makes the metadata.
  ///
  /// - Throws: The code of a failure of libcrypto.
  package init() throws(PasskeyCryptoError) {
    let root = try VectorAuthorities.root()
    let revoked = try VectorAuthorities.intermediate()
    let other = try VectorAuthorities.secondIntermediate(below: root)
    let refused: [FIDOModel] = [.inForgedBlob, .inUnanchoredBlob, .belowRevokedAuthority, .byRevokedSigner]
    var forged = try Self.token(about: [.inForgedBlob], by: root)
    // The first character of the signature: the last one may have bits that do not count.
    if let dot = forged.lastIndex(of: UInt8(ascii: ".")) {
      forged[dot + 1] = forged[dot + 1] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    }
    blobs = [
      Blob(name: "valid", token: try Self.token(about: FIDOModel.allCases.filter { !refused.contains($0) }, by: root)),
      Blob(name: FIDOModel.inForgedBlob.rawValue, token: forged),
      Blob(
        name: FIDOModel.inUnanchoredBlob.rawValue,
        token: try Self.token(about: [.inUnanchoredBlob], by: VectorAuthorities.impostor())),
      Blob(
        name: FIDOModel.belowRevokedAuthority.rawValue,
        token: try Self.token(about: [.belowRevokedAuthority], by: revoked)),
      Blob(
        name: FIDOModel.byRevokedSigner.rawValue,
        token: try Self.token(about: [.byRevokedSigner], by: other, serialNumber: Self.revokedSigner)),
    ]
    anchor = try VectorAuthorities.rootCertificate()
    revocationLists = [
      // The intermediate authority has the serial number 2.
      try VectorAuthorities.revocationList(of: [[2]]),
      try VectorAuthorities.revocationList(of: [Self.revokedSigner], by: other),
    ]
  }

  private static let revokedSigner: [UInt8] = [9]

  private static func token(
    about models: [FIDOModel], by issuer: CertificateIssuer, serialNumber: [UInt8] = [3]
  ) throws(PasskeyCryptoError) -> [UInt8] {
    let key = try ScenarioValues.key(of: "Metadata")
    let certificate = try issuer.leaf(
      CertificateName(.init(.commonName, "Passkey Vectors Metadata")), publicKey: key.publicKey,
      serialNumber: serialNumber, validity: ScenarioDefaults.validity
    ).certificate(signedBy: issuer.key, .deterministic)
    let payload = try JSON.writeObject { (object: inout JSONObjectWriter) throws(PasskeyCryptoError) in
      object.write("legalHeader", "none")
      object.write("no", 1)
      object.write("nextUpdate", "2043-12-01")
      try object.writeArray("entries") { (entries: inout JSONArrayWriter) throws(PasskeyCryptoError) in
        for model in models { try model.writeEntry(into: &entries) }
      }
    }
    return try CompactToken(
      payload: payload, signer: AttestationIdentity(key: key, certificates: [certificate] + issuer.path)
    ).text(.deterministic)
  }
}
