// SPDX-License-Identifier: Apache-2.0

/// A plain-text file of commands and their expected output, for tests of the command line.
///
/// A line that begins with `$ ` is a shell command, which finds the built programs first. The lines below are its output,
/// standard output and error interleaved, with `[N]` at the end if the exit code is not 0. Lines that begin with `#` between
/// a blank line and the next command are comments.
public struct Transcript: Sendable {
  /// The file.
  public let path: String

  /// Its commands in sequence.
  public let steps: [Step]

  /// A command and its output.
  public struct Step: Sendable {
    /// The line number of the command.
    public let line: Int
    /// The command.
    public let command: String
    /// The expected output with the exit code.
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

/// Replaces the parts of program output that change between runs: times, identifiers, ports.
public enum Normalization {
  /// Writes `TIME` for a time in RFC 3339, `ID` for 16 or 32 bytes in base64url or 16 in hex, `PORT` for the port, `HERE` for
  /// the folder.
  public static func normalized(_ text: String, port: String, folder: String) -> String {
    let placed = text.replacing(folder, with: "HERE")
    let timed = placed.replacing(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME")
    let named = timed.replacing(/[A-Za-z0-9_\-]+/) { (match) in isIdentifier(match.output) ? "ID" : match.output }
    return named.replacing(":\(port)", with: ":PORT")
  }

  /// Long words are not identifiers: they have no digits, or only digits.
  private static func isIdentifier(_ word: Substring) -> Bool {
    switch word.count {
    case 22, 43: word.contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
    case 32: word.allSatisfy { "0123456789abcdef".contains($0) }
    default: false
    }
  }
}
