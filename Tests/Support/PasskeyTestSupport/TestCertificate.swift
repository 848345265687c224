// SPDX-License-Identifier: Apache-2.0

/// A self-signed certificate for host names, and its key. It is no authority, which Firefox would not accept as a server.
package struct TestCertificate: Sendable {
  /// The certificate could not be created.
  package struct NotCreated: Error {
    let output: String
  }

  package let certificatePath: String
  package let keyPath: String
  /// The SHA-256 digest of the public key in base64. A browser can be told to trust it.
  package let trustedKey: String

  /// Creates a certificate in a folder with OpenSSL's command line.
  package static func make(for hosts: [String], in folder: TemporaryFolder) async throws -> TestCertificate {
    let names = hosts.map { "DNS:\($0)" }.joined(separator: ",")
    let command = """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test \
        -addext subjectAltName=\(names) -addext basicConstraints=critical,CA:FALSE \
        -keyout server.key -out server.crt 2>openssl.log || { cat openssl.log; exit 1; }
      openssl x509 -in server.crt -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary |
        openssl base64
      """
    let path = folder.path
    let output = try await waiting { try Shell.run(command, in: path) }
    // 32 bytes in base64, and the end of the line.
    guard output.utf8.count == 45 else { throw NotCreated(output: output) }
    return TestCertificate(
      certificatePath: "\(path)/server.crt", keyPath: "\(path)/server.key", trustedKey: String(output.dropLast()))
  }
}
