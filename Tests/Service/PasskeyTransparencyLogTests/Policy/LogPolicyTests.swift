// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Policies, in code and as files of C2SP tlog-policy.
@Suite struct LogPolicyTests {
  private static let log: String = (try? SampleLog().signer.key.text) ?? ""
  private static let witnesses: [String] = (1...5).compactMap { try? SampleLog.witness($0).key.text }

  /// A checkpoint with the cosignatures of these witnesses.
  private static func note(_ witnesses: UInt8...) throws -> SignedNote {
    var note = try SampleLog(entries: 20).note
    try note.add(witnesses.map { try SampleLog.witness($0).sign(note.text, at: SampleLog.time) })
    return note
  }

  private static func policy(_ lines: String...) throws(TransparencyLogError) -> LogPolicy {
    try LogPolicy(parsing: Array(lines.joined(separator: "\n").utf8)[...])
  }

  private static func example() throws(TransparencyLogError) -> LogPolicy {
    try policy(
      "# two operators", "log \(log) https://log.example/", "", "witness X1 \(witnesses[0])",
      "\twitness  X2 \(witnesses[1]) https://w2.example", "witness X3 \(witnesses[2])", "group X 2 X1 X2 X3",
      "witness Y1 \(witnesses[3])", "witness Y2 \(witnesses[4])", "group Y any Y1 Y2", "group both all X Y",
      "quorum both")
  }

  @Test func `the quorum decides`() throws {
    let policy = try Self.example()
    #expect(policy.witnesses.count == 5)
    for note in [try Self.note(1, 2, 4), try Self.note(2, 3, 5), try Self.note(1, 2, 3, 4, 5)] {
      let verified = try policy.verify(note)
      #expect(verified.checkpoint.size == 20)
      #expect(verified.cosigned.allSatisfy { $0.time == SampleLog.time })
      #expect(verified.cosigned.count == note.signatures.count - 1)
    }
    for note in [try Self.note(), try Self.note(1, 2, 3), try Self.note(1, 4, 5), try Self.note(4)] {
      let error = #expect(throws: TransparencyLogError.self) { try policy.verify(note) }
      #expect(error?.code == .quorumMissing)
    }
  }

  @Test func `without a quorum the signature of the log suffices`() throws {
    let policy = try Self.policy("log \(Self.log)", "quorum none")
    #expect(try policy.verify(Self.note(1)).cosigned.isEmpty)
    #expect(policy == LogPolicy(logs: [try SampleLog().signer.key]))
  }

  @Test func `another log, another origin and another key are rejected`() throws {
    let policy = try Self.policy("log \(Self.log)", "quorum none")
    let other = try SampleLog(entries: 20, seed: 5)
    #expect(throws: TransparencyLogError.self) { try policy.verify(other.note) }
    let origin = "log.example/other"
    let renamed = try Checkpoint(origin: origin, size: 20, root: other.tree.root)
      .signed(by: SampleLog.signer(origin, .ed25519, seed: 0), at: SampleLog.time)
    let error = #expect(throws: TransparencyLogError.self) { try policy.verify(renamed) }
    #expect(error?.code == .signatureMissing)
  }

  @Test func `a log does not sign for the origin of another log of the policy`() throws {
    let signer = try SampleLog.signer("log.example/other", .ed25519, seed: 40)
    let policy = LogPolicy(logs: [try SampleLog().signer.key, signer.key])
    var note = try SignedNote(text: SampleLog(entries: 3).note.text)
    try note.add([signer.sign(note.text, at: SampleLog.time)])
    let error = #expect(throws: TransparencyLogError.self) { try policy.verify(note) }
    #expect(error?.code == .signatureMissing)
  }

  @Test(arguments: [
    "", "quorum", "quorum none none", "quorum none\nquorum none", "quorum X", "log", "log LOG a b\nquorum none",
    "log LOG\nlog LOG\nquorum none", "witness none W1\nquorum none", "witness W1\nquorum none",
    "witness A W1\nwitness A W2\nquorum A", "witness A W1\nwitness B W1\nquorum A", "quorum A\nwitness A W1",
    "group G any A\nwitness A W1\nquorum G", "witness A W1\ngroup G 0 A\nquorum G",
    "witness A W1\ngroup G 2 A\nquorum G", "witness A W1\ngroup G 01 A\nquorum G",
    "witness A W1\ngroup G all\nquorum G", "witness A W1\ngroup A all A\nquorum A",
    "witness A W1\ngroup G all A A\nquorum G", "witness A W1\ngroup G any A\ngroup H any A\nquorum G",
    "group G any none\nquorum G", "hello\nquorum none", "quorum none\r\n", "quorum\u{b}none",
  ]) func `malformed policies are rejected`(text: String) {
    let text = text.replacing("LOG", with: Self.log).replacing("W1", with: Self.witnesses[0])
      .replacing("W2", with: Self.witnesses[1])
    let error = #expect(throws: TransparencyLogError.self) { try Self.policy(text) }
    #expect(error?.code == .policyMalformed)
  }

  @Test func `a key of a log is no witness`() {
    let error = #expect(throws: TransparencyLogError.self) { try Self.policy("witness A \(Self.log)", "quorum A") }
    #expect(error?.code == .keyUnsupported)
    #expect(error?.detail.hasPrefix("line 1: ") == true)
  }

  @Test func `names are compared as bytes`() {
    // U+00E9, and e with U+0301: the same character.
    let error = #expect(throws: TransparencyLogError.self) {
      try Self.policy("witness \u{e9} \(Self.witnesses[0])", "quorum e\u{301}")
    }
    #expect(error?.code == .policyMalformed)
  }
}
