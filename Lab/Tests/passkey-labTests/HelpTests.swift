// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@Suite struct HelpTests {
  @Test(arguments: ["audit", "load"])
  func `the help of a command for a server fits a screen`(command: String) throws {
    let lines = try Shell.run("passkey \(command) --help", in: projectFolder).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    #expect(lines.count <= 24)
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(lines.contains("passkey \(command) --help all shows every option and exit code"))
    let all = try Shell.run("passkey \(command) --help all", in: projectFolder)
    for option in ["--max-time", "--connect-to", "--profile", "--rate"] { #expect(all.contains(option)) }
  }
}
