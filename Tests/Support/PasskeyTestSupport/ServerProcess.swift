// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A running server of this build on a loopback port that the system chose. Releasing it stops the server.
public final class ServerProcess: Sendable {
  /// The server did not start.
  public struct NotStarted: Error {
    /// Its output.
    public let output: String
  }

  /// The listening port.
  public let port: String

  private let identifier: pid_t

  /// The folder in which the process was started, as the kernel names it.
  private let started: String

  /// Starts a server with a shell command in `folder`, and waits for a line of output that contains `sign` and ends with
  /// `:PORT`.
  public init(_ command: String, in folder: String, ready sign: String) throws {
    let script = """
      \(command) >told 2>&1 &
      echo $! >server.pid
      for i in $(seq \(HangGuard.seconds * 20)); do grep -qs '\(sign)' told && break; kill -0 $! 2>/dev/null || { wait $!; echo "ended with status $?" >>told; break; }; sleep 0.05; done
      cat server.pid; sed -n 's/.*\(sign).*:\\([0-9]*\\)$/\\1/p' told
      """
    var (answer, told) = ("", "")
    // Rarely, on a busy machine, the shell ends before the server has said anything.
    for _ in 0..<3 where told.isEmpty {
      answer = try Shell.run(script, in: folder)
      told = String(decoding: (try? File.bytes(folder + "/told")) ?? [], as: UTF8.self)
    }
    let lines = answer.split(separator: "\n")
    guard lines.count >= 2, let identifier = pid_t(lines[0]), UInt16(lines[1]) != nil else {
      throw NotStarted(output: told.isEmpty ? "the shell said: \(answer)" : told)
    }
    self.identifier = identifier
    started = Self.place(of: identifier) ?? ""
    port = String(lines[1])
  }

  deinit {
    // It is the shell's child, so waitpid is not possible, and its number belongs to another process once it has ended.
    guard isRunning else { return }
    kill(identifier, SIGTERM)
    for _ in 0..<(HangGuard.seconds * 100) where isRunning { usleep(10_000) }
  }

  /// Whether the process with this number is still the one that was started.
  private var isRunning: Bool {
    guard let place = Self.place(of: identifier) else { return false }
    return place == started || place == started + " (deleted)"
  }

  /// The folder in which a process runs; nil if there is none.
  private static func place(of identifier: pid_t) -> String? {
    var place = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/\(identifier)/cwd", &place, place.count)
    return count > 0 ? String(decoding: place.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}

/// Runs commands in a shell that finds the built programs.
public enum Shell {
  /// The shell could not be started.
  public struct NotStarted: Error {}

  /// Returns the command's output, and `[N]` if it exits with N other than 0.
  public static func run(_ command: String, in folder: String) throws -> String {
    let script = "cd '\(folder)' && PATH='\(builtProgramsFolder)':\"$PATH\" && { \(command)\n} 2>&1 </dev/null"
    guard let stream = unsafe popen(script, "r") else { throw NotStarted() }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, stream)
      if count == 0 { break }
      output += chunk.prefix(count)
    }
    let status = unsafe pclose(stream)
    let exitCode = status >> 8 & 0xff
    let text = String(decoding: output, as: UTF8.self)
    return exitCode == 0 && status & 0x7f == 0
      ? text : text + "[\(status & 0x7f == 0 ? exitCode : 128 + status & 0x7f)]\n"
  }
}
