// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The commands that talk to a server, against a real server on this machine. Each transcript has its own server,
/// folder and vault.
@Suite struct LiveTranscriptTests {
  static let folder = "\(projectFolder)/Tests/Programs/passkeyTests/Transcripts/Live"

  private static let transcripts = [
    ("raxx", "--profile raxx"), ("yapt", "--profile yapt"), ("aiday", "--profile aiday --session-lifetime 90s"),
    ("invitation", "--sign-up invitation"), ("refusals", ""), ("no-store", ""), ("secrets", ""), ("doctor", ""),
    ("network", ""), ("changes", ""), ("device", ""), ("registration", ""), ("replaced", ""), ("requests", ""),
    ("session", ""), ("profile", "--profile '\(projectFolder)/Examples/Profiles/bookshop.json'"),
    ("verification", ""), ("receipt", ""),
    (
      "without-reverification",
      "--profile '\(projectFolder)/Tests/Programs/passkeyTests/Transcripts/without-reverification.json'"
    ),
    ("renewal", "--profile aiday --sign-up open --session-lifetime 20s"),
  ]

  /// Four at once: some wait until a session expires.
  @Test func `the program prints the transcripts`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for (number, (name, settings)) in Self.transcripts.enumerated() {
        if number >= 4 { try await group.next() }
        group.addTask {
          try await waiting {
            try Self.follow(
              name, server: "exec passkey-server --listen 127.0.0.1:0 --access-log log \(settings)",
              ready: "serving raxx.app at")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: [
    ("mail", "--recovery email --recovery-wait 1s"), ("first-use", "--verify-email before-first-use"),
  ])
  func `a server that verifies addresses sends its mails to a mail server`(name: String, settings: String) throws {
    let transcripts = "\(projectFolder)/Tests/Programs/passkeyTests/Transcripts"
    try Self.follow(
      name,
      server: """
        exec sh -c 'MAIL_PORT=$("\(transcripts)/mail-server" mails $$)
        exec passkey-server --listen 127.0.0.1:0 --access-log log --mail smtp-unencrypted://127.0.0.1:$MAIL_PORT \
        \(settings)'
        """, ready: "serving raxx.app at")
  }

  @Test func `the program trades with the example back end as in the transcript`() throws {
    try Self.follow("raptor", server: "RAPTOR_LISTEN=127.0.0.1:0 exec Raptor", ready: "listening at")
  }

  private static func follow(_ name: String, server command: String, ready sign: String) throws {
    try Transcript.follow("\(folder)/\(name).txt", server: command, ready: sign, helpers: TranscriptTests.folder)
  }
}
