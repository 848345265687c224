// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// The text of checkpoints.
@Suite struct CheckpointTests {
  private static let text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"

  @Test func `the example of the specification is parsed and written back`() throws {
    let checkpoint = try Checkpoint(parsing: Array(Self.text.utf8)[...])
    #expect(checkpoint.origin == "example.com/behind-the-sofa")
    #expect(checkpoint.size == 20_852_163)
    #expect(checkpoint.root.description == "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=")
    #expect(checkpoint.text == Self.text)
  }

  @Test func `extension lines are kept`() throws {
    let checkpoint = try Checkpoint(parsing: Array((Self.text + "one\ntwo 2\n").utf8)[...])
    #expect(checkpoint.extensions == ["one", "two 2"])
    #expect(checkpoint.text == Self.text + "one\ntwo 2\n")
  }

  @Test(arguments: [
    "", "\n", "o\n", "o\n1\n", "\n1\n4444\n", "o\n\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
    "o\n01\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "o\n-1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
    "o\n0\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=\n",
    "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw==\n", "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=",
    "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n", "o\n9223372036854775808\n4444\n",
    "o\n99999999999999999999\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
    "o\n9999999999999999999\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
  ]) func `malformed checkpoints are rejected`(text: String) {
    let error = #expect(throws: TransparencyLogError.self) { try Checkpoint(parsing: Array(text.utf8)[...]) }
    #expect(error?.code == .checkpointMalformed)
  }

  @Test func `the largest size and the empty tree are accepted`() throws {
    let largest = "o\n9223372036854775807\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    #expect(try Checkpoint(parsing: Array(largest.utf8)[...]).size == TreeSize.maximum)
    let empty = try Checkpoint(origin: "o", size: 0, root: .empty)
    #expect(empty.text == "o\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n")
    #expect(try Checkpoint(parsing: Array(empty.text.utf8)[...]) == empty)
  }

  @Test func `a checkpoint is signed only with the name of its log`() throws {
    let other = try SampleLog.signer("log.example/other", .ed25519, seed: 0)
    let error = #expect(throws: TransparencyLogError.self) {
      try SampleLog(entries: 1).checkpoint.signed(by: other, at: SampleLog.time)
    }
    #expect(error?.code == .originMismatch)
  }

  @Test(arguments: ["", "a b", "a+b", "a\nb"]) func `an invalid origin is rejected`(origin: String) {
    let error = #expect(throws: TransparencyLogError.self) { try Checkpoint(origin: origin, size: 0, root: .empty) }
    #expect(error?.code == .checkpointMalformed)
  }
}
