// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@Suite struct TranscriptTests {
  static let folder = "\(projectFolder)/Tests/Programs/passkeyTests/Transcripts"

  @Test(arguments: [
    "help", "usage", "inspect", "inspect-faults", "inspect-forms", "inspect-output", "verify", "verify-live", "mds",
    "keys",
    "cxf", "agent", "authenticator", "create-get", "completions", "manual", "help-server",
    "connection", "audit-proof", "receipt", "laboratory",
  ])
  func `the program prints the transcript`(name: String) throws {
    try Self.follow(name)
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `the program reads the real metadata`() throws {
    try Self.follow("mds-shared")
  }

  private static func follow(_ name: String) throws { try Transcript.follow("\(folder)/\(name).txt") }
}
