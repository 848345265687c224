// SPDX-License-Identifier: Apache-2.0

import TransparencyLog
import WireFormats

/// A witness as C2SP tlog-witness describes it, for one log.
struct SampleWitness {
  let signer: NoteSigner
  let log: NoteKey
  private var last: Checkpoint

  init(_ signer: NoteSigner, of log: NoteKey) throws {
    self.signer = signer
    self.log = log
    last = try Checkpoint(origin: log.name, size: 0, root: .empty)
  }

  struct Reply {
    let status: Int
    var mediaType: String?
    var body: [UInt8] = []
  }

  mutating func answer(_ body: [UInt8]) -> Reply {
    guard let request = try? WitnessRequest(parsing: body[...]) else { return Reply(status: 400) }
    guard let checkpoint = try? Checkpoint(parsing: request.checkpoint.text), checkpoint.origin == log.name else {
      return Reply(status: 404)
    }
    guard (try? request.checkpoint.verify(with: [log])) != nil else { return Reply(status: 403) }
    guard request.oldSize <= checkpoint.size else { return Reply(status: 400) }
    guard request.oldSize == last.size else {
      return Reply(status: 409, mediaType: WitnessResponse.sizeMediaType, body: Array("\(last.size)\n".utf8))
    }
    guard (try? request.consistency.verify(from: last, to: checkpoint)) != nil,
      let signature = try? signer.sign(request.checkpoint.text, at: SampleLog.time)
    else { return Reply(status: 422) }
    last = checkpoint
    return Reply(status: 200, body: Array("\(signature.line)\n".utf8))
  }
}
