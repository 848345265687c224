// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP
internal import PasskeySystem

/// The PEM files with a server's certificate and private key.
public struct TLSFiles: Hashable, Sendable {
  /// The path of the certificate file: the server certificate, then its intermediates up to the root.
  public let certificatePath: String

  /// The path of the private key, not encrypted.
  public let keyPath: String

  /// Creates a pair of paths.
  public init(certificatePath: String, keyPath: String) {
    self.certificatePath = certificatePath
    self.keyPath = keyPath
  }

  // 1 MiB  [the longest chains have 20 KiB]
  private static let maximumSize = 1 << 20

  // TLS 1.3, and TLS 1.2 only with ephemeral elliptic-curve keys and AEAD ciphers (RFC 9325 §4.2). A stolen private key
  // decrypts no recorded session, and there is no CBC padding oracle. No DHE, because clients cannot validate its
  // parameters.
  static let priorities =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA"
    + ":-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD:%SAFE_RENEGOTIATION"

  func read() throws(EndpointError) -> TLSIdentity {
    TLSIdentity(certificate: try Self.contents(of: certificatePath), key: try Self.contents(of: keyPath))
  }

  private static func contents(of path: String) throws(EndpointError) -> [UInt8] {
    guard let bytes = try? OpenFile(path, .reading).readToEnd(limit: maximumSize), !bytes.contains(0) else {
      throw EndpointError(.certificateUnusable, detail: path)
    }
    return bytes
  }
}

/// The contents of a server's ``TLSFiles``: the certificates and the key, in PEM.
struct TLSIdentity {
  let certificate: [UInt8]
  let key: [UInt8]
}
