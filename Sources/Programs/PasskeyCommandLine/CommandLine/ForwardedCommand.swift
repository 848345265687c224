// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyFormats
internal import PasskeySystem

/// A command that another program has. It runs that program if it is installed beside this one or in PATH, as git does
/// with commands that it does not have itself.
package struct ForwardedCommand: Sendable {
  /// The word that selects the command, here and there.
  package let word: String

  /// One line, lower case, no full stop.
  package let summary: String

  private let program: String
  private let hint: String

  package init(_ word: String, of program: String, summary: String, hint: String) {
    self.word = word
    self.program = program
    self.summary = summary
    self.hint = hint
  }

  /// Replaces this process by the other program.
  func run(_ arguments: [String]) throws(CommandFailure) -> Never {
    let own = try? FileStatus(ofFileAt: OwnProgram.path).identity
    for folder in Self.folders {
      let path = "\(folder)/\(program)"
      // A link to this program would run forever.
      guard let status = try? FileStatus(ofFileAt: path), status.kind == .regular, status.identity != own else {
        continue
      }
      var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
      _ = unsafe execv(path, &words)
      unsafe words.forEach { unsafe free($0) }
    }
    throw .inputOutput("\(word) needs the program \(program), which is neither beside this one nor in PATH", hint: hint)
  }

  /// The folder of this program, then those of PATH. A relative one would depend on the working folder, which anyone may
  /// fill.
  private static var folders: [String] {
    let path = Environment.value("PATH") ?? ""
    return ([FileReplacement.parentFolder(of: OwnProgram.path)] + path.split(separator: ":").map(String.init))
      .filter { $0.hasPrefix("/") }
  }
}

/// Options of a command with which another program's command runs in its place.
package struct CommandExtension: Sendable {
  let word: String
  let options: [String]
  let command: ForwardedCommand

  package init(of word: String, options: [String], by command: ForwardedCommand) {
    self.word = word
    self.options = options
    self.command = command
  }

  /// Whether the arguments name the command and one of the options.
  func takes(_ arguments: [String]) -> Bool {
    guard arguments.first == word else { return false }
    return arguments.prefix { $0 != "--" }.contains { (argument) in
      options.contains { argument == $0 || argument.hasPrefix("\($0)=") }
    }
  }
}
