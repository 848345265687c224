// SPDX-License-Identifier: Apache-2.0

internal import Glibc

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
