// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A server that was built beside the tests, running on a port of this machine that the system chose, until this is
/// released.
public final class ServerProcess {
  /// The server did not come up.
  public struct NotStarted: Error {
    /// What it said.
    public let told: String
  }

  /// The port on which it listens.
  public let port: String

  private let identifier: pid_t
  private let folder: String

  /// Starts a server by a command that a shell runs in `folder`, and waits until it says `…:PORT` at the end of a line that
  /// has `sign` in it.
  public init(_ command: String, in folder: String, ready sign: String) throws {
    self.folder = folder
    let script = """
      \(command) >told 2>&1 &
      echo $! >server.pid
      for i in $(seq \(HangGuard.seconds * 20)); do grep -qs '\(sign)' told && break; kill -0 $! 2>/dev/null || break; sleep 0.05; done
      cat server.pid; sed -n 's/.*\(sign).*:\\([0-9]*\\)$/\\1/p' told
      """
    let lines = try Shell.run(script, in: folder).split(separator: "\n")
    guard lines.count >= 2, let identifier = pid_t(lines[0]), UInt16(lines[1]) != nil else {
      throw NotStarted(told: String(decoding: (try? File.bytes(folder + "/told")) ?? [], as: UTF8.self))
    }
    self.identifier = identifier
    port = String(lines[1])
  }

  deinit {
    kill(identifier, SIGTERM)
    // It is the shell's child, and not ours: nobody can wait for it.
    for _ in 0..<(HangGuard.seconds * 100) where kill(identifier, 0) == 0 { usleep(10_000) }
  }
}
