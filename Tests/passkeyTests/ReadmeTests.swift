// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What the README shows of the command line is what the program prints. A line of `…` stands for any number of lines.
@Suite struct ReadmeTests {
  @Test func `the commands in the README print what stands below them`() throws {
    let readme = String(decoding: try File.bytes("\(projectFolder)/README.md"), as: UTF8.self)
    var commands = 0
    var block: [Substring]?
    for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```console" {
        block = []
      } else if line == "```", let lines = block {
        block = nil
        commands += try run(lines)
      } else {
        block?.append(line)
      }
    }
    #expect(commands >= 3)
  }

  /// Runs the commands of one block and returns how many there were. Scripts that build are passed over: they would wait
  /// for the build that runs this.
  private func run(_ lines: [Substring]) throws -> Int {
    var commands = 0
    var rest = lines[...]
    while let line = rest.popFirst() {
      let expected = rest.prefix { !$0.hasPrefix("$ ") }
      rest = rest.dropFirst(expected.count)
      let command = try #require(line.hasPrefix("$ ") ? String(line.dropFirst(2)) : nil, "\(line)")
      if command.hasPrefix("Scripts/") { continue }
      commands += 1
      var printed = try Shell.run(command, in: projectFolder).split(separator: "\n")
      if printed.last?.hasPrefix("[") == true { printed.removeLast() }  // the exit code
      #expect(Self.matches(printed[...], expected), "\(command)\n\(printed.joined(separator: "\n"))")
    }
    return commands
  }

  private static func matches(_ printed: ArraySlice<Substring>, _ expected: ArraySlice<Substring>) -> Bool {
    guard let first = expected.first else { return printed.isEmpty }
    let rest = expected.dropFirst()
    if first.drop(while: { $0 == " " }) == "…" {
      return (printed.startIndex...printed.endIndex).contains { matches(printed[$0...], rest) }
    }
    return printed.first == first && matches(printed.dropFirst(), rest)
  }
}
