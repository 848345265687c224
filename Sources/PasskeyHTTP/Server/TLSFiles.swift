// SPDX-License-Identifier: Apache-2.0

/// The certificate that a server shows and the key behind it, both PEM.
public struct TLSFiles: Hashable, Sendable {
  /// The certificate and those that lead from it to a root, in this order.
  public let certificatePath: String

  /// The private key, without a password.
  public let keyPath: String

  /// Names the files.
  public init(certificatePath: String, keyPath: String) {
    self.certificatePath = certificatePath
    self.keyPath = keyPath
  }

  // 1 MiB  [the longest chains have 20 KiB]
  private static let maximumSize = 1 << 20

  // TLS 1.3, and TLS 1.2 with ephemeral elliptic-curve keys and AEAD ciphers alone (RFC 9325 §4.2): a stolen private key
  // decrypts no recorded session, and there is no CBC padding to probe. No DHE, whose parameters clients cannot judge.
  static let priorities =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA"
    + ":-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD:%SAFE_RENEGOTIATION"

  func read() throws(HTTPError) -> TLSIdentity {
    TLSIdentity(certificate: try Self.contents(of: certificatePath), key: try Self.contents(of: keyPath))
  }

  private static func contents(of path: String) throws(HTTPError) -> [UInt8] {
    guard let bytes = Descriptor.contents(of: path, limit: maximumSize), !bytes.contains(0) else {
      throw HTTPError(.certificateUnusable, detail: path)
    }
    return bytes
  }
}
