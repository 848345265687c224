// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import Testing

@testable import PasskeyCommands

@Suite struct SessionLineTests {
  @Test(arguments: ["", "   ", "# a remark"])
  func `an empty line does nothing`(line: String) throws {
    guard case .nothing = try SessionLine.read(line) else {
      Issue.record("something is asked for")
      return
    }
  }

  @Test func `a command accepts its own options, and session options are fixed`() throws {
    guard case .command(let command) = try SessionLine.read("passkey request --yes GET '/a%20b'") else {
      Issue.record("no command")
      return
    }
    #expect(command.isConfirmed)
    #expect(throws: CommandFailure.self) { try SessionLine.read("whoami --vault other") }
    #expect(throws: CommandFailure.self) { try SessionLine.read("request GET '/a b'") }
  }

  @Test func `session options apply to each command that knows them`() throws {
    for (line, isYes) in [("whoami", true), ("sign-out", false), ("request GET -- /", true)] {
      guard case .command(let command) = try SessionLine.read(line, inheriting: SessionLine.inherited) else {
        Issue.record("no command")
        return
      }
      #expect(command.isConfirmed == isYes, "\(line)")
    }
  }

  @Test(arguments: ["request POST / --data -", "step-up POST / --data=@-", "request POST / --grant-file -"])
  func `lines cannot read standard input`(line: String) {
    #expect { try SessionLine.read(line) } throws: { ($0 as? CommandFailure)?.exitCode == .usage }
  }

  @Test(arguments: ["help whoami extra", "exit now"])
  func `a line with more words than it uses is refused`(line: String) {
    #expect { try SessionLine.read(line) } throws: { ($0 as? CommandFailure)?.exitCode == .usage }
  }

  @Test func `an unknown command gets a suggestion`() {
    #expect(throws: CommandFailure.usage(#"unknown command "whoam""#, hint: "did you mean whoami?")) {
      try SessionLine.read("whoam")
    }
  }

  @Test func `completions are offered`() {
    #expect(SessionLine.completion(of: "si").candidates.map(\.word) == ["sign-in", "sign-out"])
    #expect(SessionLine.completion(of: "sessions --re").candidates.map(\.word).first == "--revoke")
    #expect(SessionLine.completion(of: "help wh").candidates.map(\.word) == ["whoami"])
    #expect(SessionLine.completion(of: "request PA").candidates.map(\.word) == ["PATCH"])
    #expect(SessionLine.completion(of: "nothing ").candidates.isEmpty)
  }
}

@Suite struct ShellWordsTests {
  @Test(arguments: [
    ("a b  c", ["a", "b", "c"]), (#"'a b' "c d""#, ["a b", "c d"]), (#"a\ b"#, ["a b"]),
    (#"--data '{"x": 1}'"#, ["--data", #"{"x": 1}"#]),
    (#""a\"b\\c\d""#, [#"a"b\c\d"#]), ("''", [""]), ("$HOME *", ["$HOME", "*"]),
  ])
  func `a line is split like in a shell`(line: String, words: [String]) throws {
    #expect(try ShellWords.split(line) == words)
  }

  @Test(arguments: ["'a", "\"a", "a\\"])
  func `an incomplete line is refused`(line: String) {
    #expect(throws: CommandFailure.self) { try ShellWords.split(line) }
  }
}
