// SPDX-License-Identifier: Apache-2.0

/// A plain-text file of commands and what they print: the way in which the command line is tested.
///
/// A line that begins with `$ ` is given to a shell that finds the programs which were built first. The lines below are
/// what it prints, standard output and error as they come, and `[N]` last when it ends with another code than 0. Lines
/// between a blank line and the next command that begin with `#` are a comment.
public struct Transcript: Sendable {
  /// The file.
  public let path: String

  /// Its commands, in their order.
  public let steps: [Step]

  /// A command, and what it prints.
  public struct Step: Sendable {
    /// The line on which the command stands.
    public let line: Int
    /// The command.
    public let command: String
    /// What it prints, and how it ends.
    public let expected: String
  }

  /// Reads a transcript.
  public init(path: String) throws {
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
