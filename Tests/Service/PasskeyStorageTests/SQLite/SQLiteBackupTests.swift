// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct SQLiteBackupTests {
  @Test func `a copy during writes is one consistent state`() async throws {
    let folder = try TemporaryFolder()
    let storage = try await SQLiteStorage.open(folder.path + "/passkey.db")
    for _ in 0..<50 { try await SampleUser().register(with: storage) }
    let before = try await storage.recordCount
    let writers = Task {
      try await withThrowingTaskGroup(of: Void.self) { (group) in
        for _ in 0..<8 {
          group.addTask { while !Task.isCancelled { try await SampleUser().register(with: storage) } }
        }
        try await group.waitForAll()
      }
    }
    for number in 0..<3 { try await storage.backUp(to: "\(folder.path)/copy\(number)") }
    writers.cancel()
    try await writers.value
    let after = try await storage.recordCount
    #expect(after > before, "no writes happened")

    for number in 0..<3 {
      let copy = try await SQLiteStorage.open("\(folder.path)/copy\(number)")
      let sequence = try await copy.recordCount
      #expect(before...after ~= sequence)
      #expect(try await DatabaseChecks.verifiedRequests(copy).count == Int(sequence))
      // One record for each account: the copy has as many of both.
      #expect(try await copy.accounts(after: nil, matching: Account.Filter(), limit: 1_000_000).count == Int(sequence))
      await copy.close()
    }
    await storage.close()
  }

  @Test func `a copy knows no ceremony of the original`() async throws {
    let folder = try TemporaryFolder()
    let start = UnixTime(secondsSince1970: 1_800_000_000)
    let (own, new) = (ChallengeSalt(bytes: [1], created: start), ChallengeSalt(bytes: [2], created: start))
    let lifetime = start...start + .seconds(9)
    let id = CeremonyID(unchecked: [UInt8](repeating: 1, count: CeremonyID.byteCount))
    let passkey = try CredentialID([UInt8](repeating: 2, count: 16))
    for path in ["/passkey.db", "/passkey.db", "/copy", "/copy", "/passkey.db"] {
      let storage = try await SQLiteStorage.open(folder.path + path)
      let isCopy = path == "/copy"
      let salts = try await storage.addChallengeSalt(isCopy ? new : own, unlessSince: start, deletingOutside: lifetime)
      #expect(salts == [isCopy ? new : own])
      #expect(try await storage.challengeSalts() == salts)
      #expect(try await storage.presented(passkey, in: id, sealedWith: own).isSpent == isCopy)
      if !isCopy { try? await storage.backUp(to: folder.path + "/copy") }
      await storage.close()
    }
  }

  @Test func `a copy never overwrites a file`() async throws {
    let folder = try TemporaryFolder()
    let storage = try await SQLiteStorage.open(folder.path + "/passkey.db")
    try File.write(Array("notes".utf8), to: folder.path + "/notes")
    await expectCode(.foreign) { try await storage.backUp(to: folder.path + "/notes") }
    #expect(try File.bytes(folder.path + "/notes") == Array("notes".utf8))
    try await storage.backUp(to: folder.path + "/copy")
    await expectCode(.failed) { try await storage.backUp(to: folder.path + "/copy") }
    await expectCode(.unavailable) { try await storage.backUp(to: folder.path + "/none/copy") }
    await storage.close()
  }
}
