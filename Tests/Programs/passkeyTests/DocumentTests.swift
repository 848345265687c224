// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// Compares the commands in the README and its pages with the real output. A line `…` matches any number of lines, and
/// a trailing `…` matches the rest of a line. Times, identifiers and ports may differ.
@Suite struct DocumentTests {
  @Test(arguments: [
    "README.md", "Documentation/Testers.md", "Documentation/Service.md", "Documentation/JSONOutput.md",
  ])
  func `the commands on a page print the shown output`(page: String) throws {
    try Self.follow(page, in: try TemporaryFolder().keepingAlive)
  }

  @Test func `the verify and inspect commands print the shown output`() throws {
    try Self.follow("Lab/Documentation/Verifiers.md", in: (projectFolder, nil))
  }

  private static func follow(_ page: String, in place: (path: String, keptAlive: TemporaryFolder?)) throws {
    var reader = PageReader(folder: place.path)
    defer { if place.keptAlive != nil { _ = try? Shell.run("rm -rf state man1", in: place.path) } }
    for command in try PageCommand.all(in: "\(projectFolder)/\(page)") {
      let printed = try reader.run(command.text)
      #expect(
        PageCommand.matches(printed, reader.normalized(command.expected)),
        "\(page): \(command.text)\n\(printed.joined(separator: "\n"))")
    }
    #expect(reader.count >= 2)
  }
}

extension TemporaryFolder {
  /// The folder's path together with the folder, which must stay alive.
  fileprivate var keepingAlive: (path: String, keptAlive: TemporaryFolder?) { (path, self) }
}

/// A command on a page, with the output lines below it.
private struct PageCommand {
  let text: String
  let expected: [String]

  static func all(in path: String) throws -> [Self] {
    let page = String(decoding: try File.bytes(path), as: UTF8.self)
    var commands: [Self] = []
    var isOpen = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        isOpen = line == "```console"
      } else if isOpen, line.hasPrefix("$ ") {
        commands.append(Self(text: String(line.dropFirst(2)), expected: []))
      } else if isOpen, let last = commands.popLast() {
        commands.append(Self(text: last.text, expected: last.expected + [line]))
      }
    }
    return commands
  }

  static func matches(_ printed: [String], _ expected: [String]) -> Bool {
    guard let first = expected.first else { return printed.isEmpty }
    let rest = Array(expected.dropFirst())
    if first.drop(while: { $0 == " " }) == "…" {
      return (0...printed.count).contains { matches(Array(printed.dropFirst($0)), rest) }
    }
    guard let line = printed.first else { return false }
    let fits = first.hasSuffix("…") ? line.hasPrefix(first.dropLast()) : line == first
    return fits && matches(Array(printed.dropFirst()), rest)
  }
}

/// Runs a page's commands one after another.
private struct PageReader {
  let folder: String
  private(set) var count = 0
  private var exports = "export XDG_STATE_HOME=\"$PWD/state\"\n"
  private var server: ServerProcess?

  /// The command that begins a server for tests.
  private static let testServer = "eval \"$(passkey-server --for-tests &)\""

  /// The port in the pages.
  private static let shownPort = "8080"

  init(folder: String) {
    self.folder = folder
  }

  /// Returns the output of a command. Skips build scripts, which would wait for the build that runs this test.
  mutating func run(_ command: String) throws -> [String] {
    if command.hasPrefix("Scripts/") { return [] }
    count += 1
    let port = server?.port ?? Self.shownPort
    let command = command.replacing(":\(Self.shownPort)", with: ":\(port)")
    if command == Self.testServer {
      // Both write to one file.
      server = nil
      // The shell of a page lives on; here each command has its own, so the line of variables is kept.
      let started = try ServerProcess("exec passkey-server --for-tests", in: folder, ready: "serving raxx.app at")
      server = started
      var told: [String] = []
      while !told.contains(where: { $0.hasPrefix("export ") }) {
        told = String(decoding: try File.bytes("\(folder)/told"), as: UTF8.self).lines
      }
      exports += told.filter { $0.hasPrefix("export ") }.joined(separator: "\n") + "\n"
      let notes = told.filter { !$0.hasPrefix("export ") }
      return normalized(notes.map { $0.replacing(":\(started.port)", with: ":\(Self.shownPort)") })
    }
    if command.hasSuffix("&") {
      let started = try ServerProcess(
        "exec \(command.dropLast()) --listen 127.0.0.1:0", in: folder, ready: "serving raxx.app at")
      server = started
      let told = String(decoding: try File.bytes("\(folder)/told"), as: UTF8.self)
      return normalized(told.replacing(":\(started.port)", with: ":\(Self.shownPort)").lines)
    }
    if command.hasPrefix("export ") {
      exports += command + "\n"
      return []
    }
    let shell = command.contains("<(") ? "bash -c '\(command)'" : command
    var printed = try Shell.run(exports + shell, in: folder).replacing(":\(port)", with: ":\(Self.shownPort)").lines
    if printed.last?.first == "[", printed.last?.last == "]" { printed.removeLast() }  // the exit code
    return normalized(printed)
  }

  func normalized(_ lines: [String]) -> [String] {
    lines.map { Normalization.normalized($0, port: Self.shownPort, folder: folder) }
  }
}

extension String {
  fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}
