// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A running server of this build on a loopback port that the system chose. Releasing it stops the server.
public final class ServerProcess {
  /// The server did not start.
  public struct NotStarted: Error {
    /// Its output.
    public let told: String
  }

  /// The listening port.
  public let port: String

  private let identifier: pid_t
  private let folder: String

  /// Starts a server with a shell command in `folder`, and waits for a line of output that contains `sign` and ends with
  /// `:PORT`.
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
    // It is the shell's child, so waitpid is not possible.
    for _ in 0..<(HangGuard.seconds * 100) where kill(identifier, 0) == 0 { usleep(10_000) }
  }
}
