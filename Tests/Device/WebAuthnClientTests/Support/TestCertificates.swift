// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport

/// Temporary certificates, created with OpenSSL's command line.
enum TestCertificates {
  static let canBeMade = run("openssl version")

  /// Returns a folder with two authorities and certificates issued by one of them. It is created once and deleted when
  /// the process exits.
  static func folder() async throws -> TemporaryFolder {
    try await waiting { try shared.get() }
  }

  private static let shared = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    let path = folder.path
    makeAuthority("authority", in: path)
    makeAuthority("stranger", in: path)
    make("good", for: "raxx.app", by: "authority", in: path)
    make("expired", for: "raxx.app", by: "authority", days: -1, in: path)
    make("elsewhere", for: "raxx.example", by: "authority", in: path)
    // At exit, because a deinitializer does not run for a static value.
    atexit { TestCertificates.removeShared() }
    return folder
  }

  private static func removeShared() {
    guard let folder = try? shared.get() else { return }
    _ = run("rm -r \(folder.path)")
  }

  /// Creates an authority in the folder: `NAME.crt` and `NAME.key`.
  private static func makeAuthority(_ name: String, in folder: String) {
    _ = run(
      "cd \(folder) && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name) -days 2"
        + " -out \(name).crt -keyout \(name).key")
  }

  /// Creates a certificate for a host. A negative `days` creates an expired one.
  private static func make(_ name: String, for host: String, by authority: String, days: Int = 2, in folder: String) {
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
