// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// Certificates for the time of a test, made with OpenSSL's command line.
enum TestCertificates {
  static let canBeMade = run("openssl version")

  /// An authority of this name in the folder: `NAME.crt` and `NAME.key`.
  static func makeAuthority(_ name: String, in folder: String) {
    _ = run(
      "cd \(folder) && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name) -days 2"
        + " -out \(name).crt -keyout \(name).key")
  }

  /// A certificate for a host, by an authority of the folder; of yesterday where `days` is negative.
  static func make(_ name: String, for host: String, by authority: String, days: Int = 2, in folder: String) {
    _ = run(
      "cd \(folder) && openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name)"
        + " -addext subjectAltName=DNS:\(host) -out \(name).csr -keyout \(name).key"
        + " && openssl x509 -req -in \(name).csr -CA \(authority).crt -CAkey \(authority).key -days \(days)"
        + " -copy_extensions copy -out \(name).crt")
  }

  private static func run(_ command: String) -> Bool {
    guard let stream = unsafe popen("( \(command) ) >/dev/null 2>&1", "r") else { return false }
    return unsafe pclose(stream) == 0
  }
}
