// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import Testing

@testable import PasskeyCommands

@Suite struct HelpTests {
  private static let specifications = Program.passkey.entries.flatMap { (entry) -> [CommandSpecification] in
    switch entry {
    case .command(let command): [command.specification]
    case .group(let group): group.members.map { $0.specification }
    case .about, .forwarded: []
    }
  }

  /// The commands with options for the connection to a server.
  private static let network = specifications.filter { (specification) in
    specification.options.contains { $0.name == "--max-time" }
  }

  @Test func `the help of a command for a server fits a screen`() {
    #expect(Self.network.count == 17)
    for specification in Self.network {
      let lines = HelpText.command(specification, of: "passkey").split(
        separator: "\n", omittingEmptySubsequences: false
      ).dropLast()
      #expect(lines.count <= 24, "\(specification.name)")
      #expect(lines.allSatisfy { $0.count <= 100 }, "\(specification.name)")
      #expect(lines.last == "passkey \(specification.name) --help all shows every option and exit code")
      #expect(lines.contains("examples:"), "\(specification.name)")
      for word in ["--server", "--json", "--help"] {
        #expect(lines.contains { $0.contains(word) }, "\(specification.name) \(word)")
      }
    }
  }

  @Test func `the full help names every option`() {
    for specification in Self.specifications {
      let text = HelpText.command(specification, of: "passkey", isFull: true)
      for option in specification.options {
        #expect(text.contains("\(option.name) ") || text.contains("\(option.name)\n"), "\(specification.name)")
      }
    }
  }

  @Test func `an option is listed once, and only commands for a server have rare ones`() {
    for specification in Self.specifications {
      let names = specification.options.map(\.name)
      #expect(Set(names).count == names.count, "\(specification.name)")
    }
    for specification in Self.specifications where !specification.rareOptions.isEmpty {
      #expect(Self.network.contains { $0.name == specification.name }, "\(specification.name)")
    }
  }
}
