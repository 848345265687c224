// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@Suite struct TranscriptTests {
  static let folder = "\(projectFolder)/Tests/Programs/passkeyTests/Transcripts"

  @Test(arguments: [
    "help", "usage", "inspect", "inspect-faults", "inspect-forms", "inspect-output", "verify", "verify-live", "against",
    "mds",
    "vectors", "keys", "cxf", "agent", "browser", "authenticator", "create-get", "completions", "manual", "help-server",
    "connection", "audit", "audit-proof",
  ])
  func `the program prints the transcript`(name: String) throws {
    try Self.follow(name)
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `the program reads the real metadata`() throws {
    try Self.follow("mds-shared")
  }

  private static func follow(_ name: String) throws {
    let transcript = try Transcript(path: "\(folder)/\(name).txt")
    #expect(!transcript.steps.isEmpty)
    for step in transcript.steps {
      let printed = try Shell.run(step.command, in: projectFolder)
      #expect(printed == step.expected, "\(name).txt, line \(step.line): \(step.command)")
    }
  }
}
