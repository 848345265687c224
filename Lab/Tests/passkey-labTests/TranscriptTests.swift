// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The commands of `passkey-lab`, as `passkey` runs them.
@Suite struct TranscriptTests {
  private static let folder = "\(projectFolder)/Lab/Tests/passkey-labTests/Transcripts"

  @Test(arguments: ["help", "against", "audit", "browser", "vectors"])
  func `the program prints the transcript`(name: String) throws {
    try Transcript.follow("\(Self.folder)/\(name).txt")
  }

  @Test(arguments: [
    ("proxy", ""), ("load", "--ceremonies-per-minute 100000 --ceremonies-per-account 100000"),
  ])
  func `the program prints the transcript beside a server`(name: String, settings: String) async throws {
    try await waiting {
      try Transcript.follow(
        "\(Self.folder)/Live/\(name).txt",
        server: "exec passkey-server --listen 127.0.0.1:0 --access-log log \(settings)",
        ready: "serving raxx.app at", helpers: Self.folder)
    }
  }

  @Test func `FIDO's server tests succeed through HTTP`() async throws {
    let metadata = "\(projectFolder)/Vectors/fido/metadata"
    try await waiting {
      try Transcript.follow(
        "\(Self.folder)/Live/fido.txt",
        server: "exec ConformanceServer --port 0 --origin http://localhost --metadata '\(metadata)'",
        ready: "localhost at", helpers: Self.folder)
    }
  }
}
