// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyLogTestSupport
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// A log that asks a witness for cosignatures.
@Suite struct WitnessTests {
  private static func request(_ log: SampleLog, since oldSize: UInt64) throws -> WitnessRequest {
    let proof = try ConsistencyProof(from: oldSize, to: log.tree.size, tiles: log.tiles)
    return WitnessRequest(oldSize: oldSize, consistency: proof, checkpoint: try log.note)
  }

  private static func response(
    _ request: WitnessRequest, _ witness: inout SampleWitness
  ) throws(TransparencyLogError) -> WitnessResponse {
    let reply = witness.answer(request.body)
    return try WitnessResponse(status: reply.status, mediaType: reply.mediaType, body: reply.body[...])
  }

  @Test func `a growing log is cosigned each time`() throws {
    var log = try SampleLog()
    var witness = try SampleWitness(SampleLog.witness(), of: log.signer.key)
    var size: UInt64 = 0
    for count in [1, 0, 6, 300] {
      try log.append((0..<count).map { "record \($0)" })
      let request = try Self.request(log, since: size)
      let response = try Self.response(request, &witness)
      var note = request.checkpoint
      try note.add(response.cosignatures(of: note, keys: [witness.signer.key]))
      let policy = LogPolicy(
        logs: [log.signer.key], witnesses: [witness.signer.key], quorum: .witness(witness.signer.key))
      #expect(try policy.verify(note).checkpoint.size == log.tree.size)
      size = log.tree.size
    }
  }

  @Test func `a witness that is behind or ahead says its size`() throws {
    let log = try SampleLog(entries: 20)
    var witness = try SampleWitness(SampleLog.witness(), of: log.signer.key)
    #expect(try Self.response(Self.request(log, since: 5), &witness) == .conflict(lastSize: 0))
    _ = try Self.response(Self.request(log, since: 0), &witness)
    // The log was restored from an old copy.
    let restored = try SampleLog(entries: 12)
    #expect(try Self.response(Self.request(restored, since: 12), &witness) == .conflict(lastSize: 20))
  }

  @Test func `a fork is not cosigned`() throws {
    let log = try SampleLog(entries: 20)
    var witness = try SampleWitness(SampleLog.witness(), of: log.signer.key)
    _ = try Self.response(Self.request(log, since: 0), &witness)
    var fork = try SampleLog(entries: 19)
    try fork.append(["another entry"])
    // The first answer is 409 without a size, and the second one 422.
    for code in [TransparencyLogError.Code.responseMalformed, .witnessRefused] {
      let error = #expect(throws: TransparencyLogError.self) {
        try Self.response(Self.request(fork, since: 20), &witness)
      }
      #expect(error?.code == code)
      try fork.append(["one more"])
    }
  }

  @Test func `a request is parsed and written back, and each truncation is rejected`() throws {
    let body = try Self.request(SampleLog(entries: 21), since: 13).body
    #expect(try WitnessRequest(parsing: body[...]).body == body)
    for count in body.indices {
      #expect(throws: TransparencyLogError.self) { try WitnessRequest(parsing: body[..<count]) }
    }
  }

  @Test(arguments: ["old 013", "old  13", "old", "old -1", "Old 13", "old 13 ", "13", "old 9223372036854775808"])
  func `an invalid old size is rejected`(line: String) throws {
    let body = try Self.request(SampleLog(entries: 21), since: 13).body
    let text = String(decoding: body, as: UTF8.self).replacing("old 13", with: line)
    let error = #expect(throws: TransparencyLogError.self) { try WitnessRequest(parsing: Array(text.utf8)[...]) }
    #expect(error?.code == .requestMalformed)
  }

  @Test func `64 hashes are rejected`() throws {
    let hashes = [TreeHash](repeating: .empty, count: 64)
    let request = WitnessRequest(
      oldSize: 1, consistency: ConsistencyProof(hashes: hashes), checkpoint: try SampleLog(entries: 2).note)
    let error = #expect(throws: TransparencyLogError.self) { try WitnessRequest(parsing: request.body[...]) }
    #expect(error?.code == .tooLarge)
  }

  @Test func `signatures of strangers are not taken over, and those of the witness must match`() throws {
    let note = try SampleLog(entries: 4).note
    let (known, stranger) = (try SampleLog.witness(1), try SampleLog.witness(2))
    let lines = try [known, stranger].map { try $0.sign(note.text, at: SampleLog.time).line + "\n" }.joined()
    let response = try WitnessResponse(status: 200, mediaType: nil, body: Array(lines.utf8)[...])
    #expect(try response.cosignatures(of: note, keys: [known.key]).map(\.name) == [known.key.name])
    let later = try SampleLog(entries: 5).note
    let invalid = #expect(throws: TransparencyLogError.self) { try response.cosignatures(of: later, keys: [known.key]) }
    #expect(invalid?.code == .signatureInvalid)
    let missing = #expect(throws: TransparencyLogError.self) {
      try response.cosignatures(of: note, keys: [SampleLog.witness(3).key])
    }
    #expect(missing?.code == .signatureMissing)
  }

  @Test func `a cosignature without a time is rejected`() throws {
    let note = try SampleLog(entries: 4).note
    let witness = try SampleLog.witness()
    let line = try witness.sign(note.text, at: UnixTime(secondsSince1970: 0)).line + "\n"
    let response = try WitnessResponse(status: 200, mediaType: nil, body: Array(line.utf8)[...])
    let error = #expect(throws: TransparencyLogError.self) { try response.cosignatures(of: note, keys: [witness.key]) }
    #expect(error?.code == .signatureInvalid)
  }

  @Test(arguments: [
    (200, nil, ""), (409, nil, "5\n"), (409, "text/x.tlog.size", "5"), (409, "text/x.tlog.size", "05\n"),
    (409, "text/x.tlog.size", "5\n\n"), (409, "text/plain", "5\n"),
    (409, "text/x.tlog.sizes", "5\n"),
  ])
  func `malformed responses are rejected`(status: Int, mediaType: String?, body: String) {
    let error = #expect(throws: TransparencyLogError.self) {
      try WitnessResponse(status: status, mediaType: mediaType, body: Array(body.utf8)[...])
    }
    #expect(error?.code == .responseMalformed)
  }

  @Test(arguments: ["text/x.tlog.size", "Text/X.TLOG.Size", "text/x.tlog.size; charset=utf-8", "text/x.tlog.size;"])
  func `parameters and the case of the media type make no difference`(mediaType: String) throws {
    let response = try WitnessResponse(status: 409, mediaType: mediaType, body: Array("5\n".utf8)[...])
    #expect(response == .conflict(lastSize: 5))
  }

  @Test(arguments: [301, 400, 403, 404, 422, 500, 0]) func `other statuses are refusals`(status: Int) {
    let error = #expect(throws: TransparencyLogError.self) {
      try WitnessResponse(status: status, mediaType: nil, body: [])
    }
    #expect(error?.code == .witnessRefused)
  }
}
