// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport
import Testing

/// Aborts programs that hold a secret, and searches the folder for a core file.
@Suite(.enabled(if: AbortedProgram.leavesCore, "the kernel writes no core files into the working directory here"))
struct CoreFileTests {
  @Test(arguments: [
    "authenticator --stdio", "authenticator --hid", "authenticator --unix socket", "keys list", "keys show A",
    "keys rename A name", "keys delete A", "keys export A", "keys import passkey.json", "keys pin set",
    "keys passphrase", "keys reset", "agent start --foreground",
    "create --origin https://raxx.app --yes create.json", "get --origin https://raxx.app --yes get.json",
    "register --server http://127.0.0.1:1 --yes --user ada@raxx.app", "sign-in --server http://127.0.0.1:1 --yes",
    "doctor --server http://127.0.0.1:1",
  ])
  func `an aborted command that holds a passphrase leaves no core file`(_ command: String) async throws {
    let folder = try TemporaryFolder()
    let made = try Shell.run(
      """
      passkey authenticator --stdio --vault v --vault-cost test --no-passphrase
      cp '\(projectFolder)/Examples/artifacts/passkey.json' .
      echo '{"rpId":"raxx.app","challenge":"MDEyMzQ1Njc4OWFiY2RlZg"}' >get.json
      echo '{"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"YWRh","name":"ada","displayName":""},
        "challenge":"MDEyMzQ1Njc4OWFiY2RlZg","pubKeyCredParams":[{"type":"public-key","alg":-7}]}' >create.json
      """, in: folder.path)
    #expect(made == "")
    let left = try await waiting {
      try AbortedProgram.leftovers(of: "exec passkey \(command) --vault v --passphrase-fd 0", in: folder)
    }
    #expect(left == .none)
  }

  @Test(arguments: ["passkey inspect -", "passkey verify -"])
  func `an aborted command with other input leaves no core file`(_ command: String) async throws {
    let folder = try TemporaryFolder()
    let left = try await waiting { try AbortedProgram.leftovers(of: "exec \(command)", in: folder) }
    #expect(left == .none)
  }
}

/// A program that is aborted while it holds a secret.
enum AbortedProgram {
  private static let secret = "correct-horse-battery-staple"

  /// The positive control: a shell without core-dump protection leaves a core file that contains the secret.
  static let leavesCore: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? leftovers(of: "read -r secret; kill -ABRT $$; sleep 60", in: folder, aborts: false)) == .secret
  }()

  enum Leftovers {
    case none, core, secret
  }

  /// Runs a command that reads the secret from standard input, aborts it, and reports the files that it left.
  static func leftovers(
    of command: String, in folder: TemporaryFolder, aborts: Bool = true
  ) throws -> Leftovers {
    let program = try PipedProgram(
      shell: "ulimit -c unlimited; export SWIFT_BACKTRACE=enable=no PASSKEY_AGENT=$PWD/agent; \(command)",
      in: folder.path)
    let line = [UInt8]((secret + (aborts ? "" : "\n")).utf8)
    _ = unsafe write(program.input, line, line.count)
    var unread: CInt = 1
    for _ in 0..<12_000 where unread > 0 {
      _ = unsafe ioctl(program.input, UInt(FIONREAD), &unread)
      usleep(5000)
    }
    if aborts {
      guard unread == 0 else { throw NotRead(command: command) }
      kill(program.identifier, SIGABRT)
    }
    // The kernel closes the descriptors after it has written the core file.
    var byte: UInt8 = 0
    while unsafe read(program.output, &byte, 1) > 0 {}
    let cores = try File.names(in: folder.path).filter { (name) in name.hasPrefix("core") }
    let hasSecret = try cores.contains { (name) in
      try File.bytes("\(folder.path)/\(name)").firstRange(of: [UInt8](secret.utf8)) != nil
    }
    return hasSecret ? .secret : cores.isEmpty ? .none : .core
  }

  /// The command ended or did not read its input.
  struct NotRead: Error {
    let command: String
  }
}
