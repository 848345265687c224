// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

@testable import passkey_server

@Suite struct AuditCheckpointFileTests {
  private let folder: TemporaryFolder
  private let file: AuditCheckpointFile

  init() throws {
    folder = try TemporaryFolder()
    file = AuditCheckpointFile(secretPath: "\(folder.path)/secret")
  }

  /// A checkpoint of a log with this origin.
  private func note(_ origin: String, size: UInt64) throws -> [UInt8] {
    let signer = try NoteSigner(
      name: origin, kind: .ed25519, signingKey: SigningKey.generate(.ed25519, random: .system))
    let root = TreeHash(ofEntry: [UInt8](origin.utf8))
    return try Checkpoint(origin: origin, size: size, root: root)
      .signed(by: signer, at: UnixTime(secondsSince1970: 1_800_000_000)).bytes
  }

  @Test func `a checkpoint replaces an earlier one of its log`() async throws {
    try await file.save(note("raxx.app/audit/00ff/1", size: 1))
    let later = try note("raxx.app/audit/00ff/1", size: 2)
    try await file.save(later)
    #expect(try file.load() == later)
    #expect(try File.names(in: folder.path) == ["secret.audit-checkpoint"])
  }

  @Test(arguments: [
    ("raxx.app/audit/00ff/1", "00ff-1"), ("raxx.app/audit/00ff/..", "other"), ("example.org/log", "other"),
  ])
  func `the checkpoint of another log is kept in a file of its own`(origin: String, suffix: String) async throws {
    let former = try note(origin, size: 7)
    try await file.save(former)
    let next = try note("raxx.app/audit/11ee/1", size: 1)
    try await file.save(next)
    #expect(try file.load() == next)
    #expect(try File.bytes("\(folder.path)/secret.audit-checkpoint.\(suffix)") == former)
  }
}
