// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A plain-text file of commands and what they print: the way in which the command line is tested.
///
/// A line that begins with `$ ` is given to a shell whose first `passkey` is the one that was built. The lines below are
/// what it prints, standard output and error as they come, and `[N]` last when it ends with another code than 0. Lines
/// between a blank line and the next command that begin with `#` are a comment.
struct Transcript {
  let path: String
  let steps: [Step]

  struct Step {
    let line: Int
    let command: String
    let expected: String
  }

  init(path: String) throws {
    self.path = path
    var steps: [Step] = []
    var open: (line: Int, command: String, output: [Substring])?
    func close() {
      guard let (line, command, output) = open else { return }
      let kept = output.reversed().drop { $0.isEmpty || $0.hasPrefix("#") }.reversed()
      steps.append(Step(line: line, command: command, expected: kept.map { $0 + "\n" }.joined()))
    }
    let text = String(decoding: try File.bytes(path), as: UTF8.self)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("$ ") {
        close()
        open = (index + 1, String(line.dropFirst(2)), [])
      } else {
        open?.output.append(line)
      }
    }
    close()
    self.steps = steps
  }
}

/// Runs commands in a shell that finds the program which was built.
enum Shell {
  struct NotStarted: Error {}

  /// Everything that the command prints, and `[N]` when it ends with N.
  static func run(_ command: String, in folder: String) throws -> String {
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
