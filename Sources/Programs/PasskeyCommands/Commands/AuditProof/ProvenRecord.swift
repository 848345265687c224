// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyTransparencyLog

/// A verified proof, with its record.
struct ProvenRecord {
  private let index: UInt64
  private let verified: VerifiedCheckpoint
  private let entry: Bytes
  private let record: AuditRecordText?
  private let details: [DisclosedEntry.Detail]

  /// Verifies a proof file.
  ///
  /// - Parameters:
  ///   - file: The proof.
  ///   - entry: The entry; nil to take it from the proof.
  ///   - policy: The accepted logs and witnesses.
  /// - Throws: An error of the proof, the policy or a personal detail.
  init(_ file: [UInt8], entry: [UInt8]?, policy: LogPolicy) throws(TransparencyLogError) {
    let proof = try LogProof(parsing: file)
    let disclosed = try Self.disclosed(proof, entry)
    verified = try proof.verify(TreeHash(ofEntry: disclosed.entry), by: policy)
    index = proof.inclusion.index
    self.entry = disclosed.entry
    record = AuditRecordText(disclosed.entry)
    details = disclosed.details
    for detail in details where record?.commitments[detail.name] != detail.commitment {
      throw TransparencyLogError(.detailMismatch, detail.name)
    }
  }

  private static func disclosed(_ proof: LogProof, _ entry: [UInt8]?) throws(TransparencyLogError) -> DisclosedEntry {
    if let entry { return DisclosedEntry(entry: entry) }
    guard let extra = proof.extra else {
      throw TransparencyLogError(.entryMissing, "the proof does not contain its entry")
    }
    return try DisclosedEntry(parsing: extra)
  }

  private var checkpoint: Checkpoint { verified.checkpoint }

  /// The lines for people.
  var text: String {
    let size = checkpoint.size == 1 ? "1 entry" : "\(checkpoint.size) entries"
    var lines = ["entry \(index) of \(checkpoint.origin.escapedForTerminal), a log with \(size)"]
    for witness in verified.cosigned {
      let time = witness.time?.rfc3339 ?? "an unknown time"
      lines.append("cosigned by \(witness.key.name.escapedForTerminal) at \(time)")
    }
    if let record {
      lines += record.members.map { (member) in "  \(member.name): \(member.text)".escapedForTerminal }
      lines += details.map { (detail) in "  \(detail.name): \(detail.value), as committed".escapedForTerminal }
    } else {
      lines.append("  an entry of \(entry.count) bytes")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Writes the members of a JSON object.
  func write(to object: inout JSONObjectWriter) {
    object.write("origin", checkpoint.origin)
    object.write("index", .integer(Int64(clamping: index)))
    object.write("size", .integer(Int64(clamping: checkpoint.size)))
    object.write("root", checkpoint.root.description)
    object.writeArray("cosignatures") { (list) in
      for witness in verified.cosigned {
        list.writeObject { (object) in
          object.write("witness", witness.key.name)
          object.write("time", .time(witness.time))
        }
      }
    }
    object.write("entry", .base64URL(entry))
    object.writeObject("record") { (object) in
      for member in record?.members ?? [] { object.write(member.name, member.text) }
    }
    object.writeObject("details") { (object) in
      for detail in details { object.write(detail.name, detail.value) }
    }
  }
}
