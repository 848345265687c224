// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats

/// A file of trusted certificates: any number of PEM blocks, or DER.
package enum CertificateFile {
  // 4 MiB  [all roots of an operating system take some 200 KiB]
  private static let maximumByteCount = 4 << 20

  /// Reads certificates in PEM or DER, at least one.
  package static func certificates(in path: String) throws(CommandFailure) -> [X509Certificate] {
    let text = try InputFile.bytes(path, limit: maximumByteCount)
    let certificates: [X509Certificate]
    do {
      let blocks = try PEM.blocks(in: text).filter { $0.label == "CERTIFICATE" }
      certificates =
        blocks.isEmpty
        ? try X509Certificate.readAll(der: text) : try blocks.map { try X509Certificate(der: $0.bytes) }
    } catch {
      throw .verificationFailed("\(path.quotedForTerminal): \(error)", hint: "certificates are PEM or DER")
    }
    guard !certificates.isEmpty else { throw .verificationFailed("\(path.quotedForTerminal): no certificate in it") }
    return certificates
  }

  /// Reads a revocation list in PEM or DER.
  package static func revocationList(in path: String) throws(CommandFailure) -> RevocationList {
    let text = try InputFile.bytes(path, limit: maximumByteCount)
    do {
      let block = try PEM.blocks(in: text).first { $0.label == "X509 CRL" }
      return try RevocationList(der: (block?.bytes ?? text))
    } catch {
      throw .verificationFailed("\(path.quotedForTerminal): \(error)", hint: "a revocation list is PEM or DER")
    }
  }
}
