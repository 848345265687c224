// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@Suite struct TranscriptTests {
  static let folder = "\(projectFolder)/Tests/Programs/passkey-serverTests/Transcripts"

  @Test(arguments: ["help", "settings", "accounts", "store", "serve"])
  func `the program prints the transcript`(name: String) throws {
    let place = try TemporaryFolder()
    let transcript = try Transcript(path: "\(Self.folder)/\(name).txt")
    #expect(!transcript.steps.isEmpty)
    for step in transcript.steps {
      let printed = try Shell.run(step.command, in: place.path)
      #expect(printed == step.expected, "\(name).txt, line \(step.line): \(step.command)")
    }
  }
}
