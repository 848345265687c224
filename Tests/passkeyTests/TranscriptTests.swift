// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct TranscriptTests {
  static let folder = "\(projectFolder)/Tests/passkeyTests/Transcripts"

  @Test(arguments: [
    "help", "usage", "inspect", "inspect-faults", "inspect-forms", "inspect-output", "verify", "vectors",
  ])
  func `the program prints what the transcript says`(name: String) throws {
    let transcript = try Transcript(path: "\(Self.folder)/\(name).txt")
    #expect(!transcript.steps.isEmpty)
    for step in transcript.steps {
      let printed = try Shell.run(step.command, in: projectFolder)
      #expect(printed == step.expected, "\(name).txt, line \(step.line): \(step.command)")
    }
  }
}
