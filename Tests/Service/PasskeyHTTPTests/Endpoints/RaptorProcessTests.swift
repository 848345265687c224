// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeyProfiles
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import Raptor

/// The command line of the example and the files that it keeps between runs.
struct RaptorProcessTests {
  @Test func `the secret is created once, readable by its owner only, and never for an existing database`() throws {
    let folder = try TemporaryFolder()
    let secret = ServerSecret(path: "\(folder.path)/secret")
    #expect(throws: ServerSecret.Fault.self) { try secret.key(creating: false) }
    #expect(unsafe access(secret.path, F_OK) != 0)
    let key = try secret.key(creating: true)
    #expect(key.count == 32)
    #expect(try secret.key(creating: true) == key)
    #expect(try secret.key(creating: false) == key)
    #expect(try Shell.run("stat -c '%a %n' *", in: folder.path) == "600 secret\n")
    unsafe chmod(secret.path, 0o640)
    #expect(throws: ServerSecret.Fault.self) { try secret.key(creating: true) }
    unsafe chmod(secret.path, 0o600)
    for size in [31, 33] {
      _ = try Shell.run("head -c \(size) /dev/urandom >secret", in: folder.path)
      #expect(throws: ServerSecret.Fault.self) { try secret.key(creating: true) }
    }
  }

  @Test func `decoys survive a restart, and another relying party is refused`() async throws {
    let folder = try TemporaryFolder()
    let command = "RAPTOR_LISTEN=127.0.0.1:0 exec Raptor"
    var shown: [[String]] = []
    for _ in 0..<2 {
      shown.append(
        try await waiting { [path = folder.path] in
          let server = try ServerProcess(command, in: path, ready: "listening at")
          return try withExtendedLifetime(server) { try Self.decoys(UInt16(server.port) ?? 0) }
        })
    }
    #expect(shown[0] == shown[1] && shown[0].isEmpty == false)
    let refused = await #expect(throws: ServerProcess.NotStarted.self) {
      try await waiting { [path = folder.path] in
        _ = try ServerProcess("RP_ID=yapt.app ORIGIN=https://yapt.app \(command)", in: path, ready: "listening at")
      }
    }
    #expect(refused?.output.contains("store-party-differs") == true, "\(refused?.output ?? "")")
    _ = try Shell.run("head -c 32 /dev/urandom >raptor.sqlite.secret", in: folder.path)
    let other = await #expect(throws: ServerProcess.NotStarted.self) {
      try await waiting { [path = folder.path] in _ = try ServerProcess(command, in: path, ready: "listening at") }
    }
    #expect(other?.output.contains("store-secret-differs") == true, "\(other?.output ?? "")")
  }

  @Test func `--help and an unknown argument end the program before it creates a file`() throws {
    let folder = try TemporaryFolder()
    let help = try Shell.run("Raptor --help", in: folder.path)
    #expect(help == Usage.text && help.contains("RAPTOR_LISTEN"))
    #expect(
      try Shell.run("Raptor --port 80", in: folder.path) == """
        raptor: error: unknown argument "--port"
        raptor: hint: Raptor --help lists the settings
        [2]

        """)
    #expect(try Shell.run("ls", in: folder.path) == "")
  }

  /// Returns the credentials in the sign-in options of an unknown address.
  private static func decoys(_ port: UInt16) throws -> [String] {
    let client = try RawClient(port: port)
    let body = #"{"email":"nobody@raxx.app"}"#
    client.send(
      "POST /api/auth/login/options HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let answer = try JSON.parse([UInt8]((client.answer()?.body ?? "").utf8))
    let options = try answer["publicKey"] ?? answer
    return try options["allowCredentials"]?.array.map { try $0["id"]?.string ?? "" } ?? []
  }
}
