// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

@testable import PasskeyService

/// Every byte and every member of a receipt has a meaning, or is refused.
struct ReceiptTamperTests {
  private static let members = [
    "receipt", "rpId", "action", "publicKey", "clientDataJSON", "authenticatorData", "signature", "record", "index",
    "hashes", "checkpoint",
  ]

  @Test func `a change of any byte is refused`() async throws {
    let receipts = try await ReceiptWorld()
    _ = try await receipts.receipt()
    for file in [try await receipts.receipt(), try await Self.readable(receipts)] {
      #expect(receipts.error(of: file) == nil)
      // The second change turns letters into those of the other case.
      for place in file.indices {
        for change: UInt8 in [0x01, 0x20] {
          var changed = file
          changed[place] ^= change
          #expect(receipts.error(of: changed) != nil, "byte \(place)")
        }
      }
      for place in 0..<file.count { #expect(receipts.error(of: Array(file[..<place])) == .malformed) }
      for end in ["\n", " ", "{}", "\0"] { #expect(receipts.error(of: file + Array(end.utf8)) == .malformed) }
    }
  }

  private static func readable(_ receipts: ReceiptWorld) async throws -> [UInt8] {
    try ActionReceipt(parsing: try await receipts.receipt()[...]).disclosing(Array(#"{"amount":10}"#.utf8)).encoded
  }

  /// Returns the file with other members: names with their JSON texts.
  private static func file(_ members: [(String, [UInt8])]) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      for (name, text) in members { object.write(name, .written(text)) }
    }
  }

  private static func members(of file: [UInt8]) throws -> [(String, [UInt8])] {
    try JSON.parse(file).members.map { (member) in (member.name, JSON.write(.verbatim(member.value))) }
  }

  @Test func `a member that is removed, moved, repeated, added or of another receipt is refused`() async throws {
    let receipts = try await ReceiptWorld()
    let first = try Self.members(of: try await receipts.receipt())
    let other = ProtectedAction(method: "DELETE", path: "/api/account", body: [1])
    let second = try Self.members(of: try await receipts.receipt(of: other))
    #expect(first.map(\.0) == Self.members)
    #expect(receipts.error(of: Self.file(first)) == nil && receipts.error(of: Self.file(second)) == nil)
    for place in first.indices {
      var removed = first
      removed.remove(at: place)
      #expect(receipts.error(of: Self.file(removed)) == .malformed, "without \(first[place].0)")
      var moved = removed
      moved.append(first[place])
      if place < first.count - 1 { #expect(receipts.error(of: Self.file(moved)) == .malformed) }
      #expect(receipts.error(of: Self.file(first + [first[place]])) == .malformed)
      for text in ["null", "{}", "[]", "\"\"", "-1", "true"] {
        var replaced = first
        replaced[place].1 = Array(text.utf8)
        #expect(receipts.error(of: Self.file(replaced)) != nil, "\(first[place].0) \(text)")
      }
      guard first[place].1 != second[place].1 else { continue }
      var spliced = first
      spliced[place] = second[place]
      #expect(receipts.error(of: Self.file(spliced)) != nil, "\(first[place].0) of another receipt")
    }
    #expect(receipts.error(of: Self.file(first + [("words", Array("\"buy\"".utf8))])) == .malformed)
    // Whole parts of another receipt: the action, the assertion, and the log's part.
    for part in [2..<3, 3..<7, 4..<7, 7..<11] {
      var spliced = first
      spliced.replaceSubrange(part, with: second[part])
      #expect(receipts.error(of: Self.file(spliced)) != nil, "\(part)")
    }
  }

  /// A signature line of a key that the policy does not name carries no meaning, as in every signed note.
  @Test func `only lines of other signers carry no meaning`() async throws {
    let receipts = try await ReceiptWorld()
    let receipt = try ActionReceipt(parsing: try await receipts.receipt()[...])
    let note = try SignedNote(parsing: (receipt.checkpoint.bytes + Array("\u{2014} w.example/1 AAAAAAAA\n".utf8))[...])
    let proof = try LogProof(
      receipt.inclusion, checkpoint: note, extra: DisclosedEntry(entry: receipt.record).encoded)
    let more = try receipt.proven(by: proof)
    #expect(receipts.error(of: more.encoded) == nil && more != receipt)
  }

  @Test(.enabled(if: ForeignVerifier.isPresent, "Python has no module cryptography"))
  func `the Python verifier accepts the same receipts and refuses the same changes`() async throws {
    let receipts = try await ReceiptWorld()
    let place = try TemporaryFolder()
    _ = try await receipts.receipt()
    let files = [try await receipts.receipt(), try await Self.readable(receipts)]
    for (number, file) in files.enumerated() { try File.write(file, to: "\(place.path)/\(number).receipt") }
    try File.write(Array(ForeignVerifier.tampering.utf8), to: "\(place.path)/tamper.py")
    let printed = try Shell.run(
      "python3 tamper.py '\(projectFolder)/Examples/Receipts' raxx.app '\(receipts.key.text)' 0.receipt 1.receipt",
      in: place.path)
    #expect(printed == "accepted 2, refused \(2 * files.map(\.count).reduce(0, +))\n")
  }
}

/// The verifier in Examples/Receipts.
enum ForeignVerifier {
  static let isPresent = (try? Shell.run("python3 -c 'import cryptography'", in: "/")) == ""

  /// Verifies each file, and each of its changes by one bit.
  static let tampering = """
    import sys
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv[1])
    from verify import verify
    refused = 0
    for path in sys.argv[4:]:
        file = open(path, "rb").read()
        assert verify(file, sys.argv[2], sys.argv[3])["path"] == "/api/orders?now"
        for place in range(len(file)):
            for change in (1, 32):
                changed = file[:place] + bytes([file[place] ^ change]) + file[place + 1:]
                try:
                    verify(changed, sys.argv[2], sys.argv[3])
                    print("accepted a change of byte", place, "to", changed[place], file[place:place + 20])
                except Exception:
                    refused += 1
    print(f"accepted {len(sys.argv) - 4}, refused {refused}")

    """
}
