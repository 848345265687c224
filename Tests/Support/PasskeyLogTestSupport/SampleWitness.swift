// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyTransparencyLog

/// A witness as C2SP tlog-witness describes it, for one log.
package struct SampleWitness: Sendable {
  package let signer: NoteSigner
  package let log: NoteKey
  private let time: UnixTime

  /// The checkpoint that it cosigned last.
  package private(set) var last: Checkpoint

  package init(
    _ signer: NoteSigner, of log: NoteKey, at time: UnixTime = UnixTime(secondsSince1970: 1_800_000_000)
  ) throws {
    self.signer = signer
    self.log = log
    self.time = time
    last = try Checkpoint(origin: log.name, size: 0, root: .empty)
  }

  package struct Reply: Sendable {
    package let status: Int
    package var mediaType: String?
    package var body: [UInt8] = []
  }

  package mutating func answer(_ body: [UInt8]) -> Reply {
    guard let request = try? WitnessRequest(parsing: body[...]) else { return Reply(status: 400) }
    guard let checkpoint = try? Checkpoint(parsing: request.checkpoint.text), checkpoint.origin == log.name else {
      return Reply(status: 404)
    }
    guard (try? request.checkpoint.verify(with: [log])) != nil else { return Reply(status: 403) }
    guard request.oldSize <= checkpoint.size else { return Reply(status: 400) }
    guard request.oldSize == last.size else {
      return Reply(status: 409, mediaType: WitnessResponse.sizeMediaType, body: Array("\(last.size)\n".utf8))
    }
    // The specification demands 422, but some witnesses answer so.
    guard checkpoint.size != last.size || checkpoint.root == last.root else { return Reply(status: 409) }
    guard (try? request.consistency.verify(from: last, to: checkpoint)) != nil,
      let signature = try? signer.sign(request.checkpoint.text, at: time)
    else { return Reply(status: 422) }
    last = checkpoint
    return Reply(status: 200, body: Array("\(signature.line)\n".utf8))
  }
}
