// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// The log records after a vault's first record.
struct VaultLogTests: VaultSuite {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns a vault with several kinds of changes, and the file size and state after each.
  private func makeLog() throws -> (vault: FileVault, ends: [Int], states: [[UInt8]]) {
    let vault = try makeVault()
    var ends = [try File.bytes(path).count]
    var states = [try vault.read().encoded]
    let random = RandomSource.seeded([1])
    for number in 0..<6 {
      let passkey = try StoredPasskey.sample(10 + number, random)
      try vault.update { (state) throws(CTAPError) in
        switch number % 3 {
        case 0: state.passkeys[0].signCount += 1
        case 1: try state.add(passkey)
        default: state.largeBlobArray = [0x80, UInt8(number)]
        }
      }
      ends.append(try File.bytes(path).count)
      states.append(try vault.read().encoded)
    }
    return (vault, ends, states)
  }

  @Test func `changes are appended and read again`() throws {
    let (_, ends, states) = try makeLog()
    #expect(zip(ends, ends.dropFirst()).allSatisfy { (before, after) in before < after && after - before < 1200 })
    #expect(try open().read().encoded == states.last)
  }

  @Test func `an empty change writes nothing`() throws {
    let (vault, ends, _) = try makeLog()
    try vault.update { (_) in }
    #expect(try File.bytes(path).count == ends.last)
  }

  @Test func `a file truncated in its log opens in the state before the record`() throws {
    let (_, ends, states) = try makeLog()
    let bytes = try File.bytes(path)
    for count in stride(from: ends[0], to: bytes.count, by: Sanitizer.stride) {
      try File.write([UInt8](bytes.prefix(count)), to: path)
      let whole = ends.lastIndex { (end) in end <= count }
      #expect(try open().read().encoded == whole.map { (index) in states[index] }, "\(count) bytes")
    }
  }

  @Test func `the next change cuts off a record that a crash left incomplete`() throws {
    let (_, ends, states) = try makeLog()
    let bytes = try File.bytes(path)
    let (last, zeros) = (ends.count - 1, [UInt8](repeating: 0, count: 4096))
    let lastRecord = bytes[ends[last - 1]...]
    // Of the last record: nothing, a part, a part and zeros, zeros only, and zeros in place of a next record.
    let torn: [(whole: Int, rest: [UInt8])] = [
      (last - 1, []), (last - 1, [UInt8](lastRecord.dropLast(40))),
      (last - 1, lastRecord.dropLast(100) + zeros.prefix(100)), (last - 1, [UInt8](zeros.prefix(lastRecord.count))),
      (last, zeros),
    ]
    for (whole, rest) in torn {
      try File.write(bytes.prefix(ends[whole]) + rest, to: path)
      #expect(try open().read().encoded == states[whole])
      try open().update { (state) in state.passkeys[0].signCount = 999 }
      #expect(try open().read().passkeys[0].signCount == 999)
    }
  }

  @Test func `trailing bytes that begin no record are damage`() throws {
    let (_, _, _) = try makeLog()
    let bytes = try File.bytes(path)
    for rest: [UInt8] in [[0x0a], [0, 0, 1, 0, 1], [UInt8](repeating: 7, count: 100)] {
      try File.write(bytes + rest, to: path)
      #expect(code { try open() } == .damaged, "\(rest)")
    }
  }

  @Test func `a flipped bit is detected in every byte of a log`() throws {
    _ = try makeLog()
    let bytes = try File.bytes(path)
    let told: Set<VaultError.Code> = [.damaged, .foreign, .truncated, .newerVersion]
    for index in stride(from: 0, to: bytes.count, by: Sanitizer.stride) {
      var corrupted = bytes
      corrupted[index] ^= 0x10
      try File.write(corrupted, to: path)
      let found = code { try open() }
      #expect(found.map { told.contains($0) } == true, "byte \(index): \(String(describing: found))")
    }
  }

  @Test func `records cannot be omitted, moved, repeated or taken from another generation`() throws {
    let (vault, ends, _) = try makeLog()
    let bytes = try File.bytes(path)
    let records = zip(ends, ends.dropFirst()).map { (start, end) in bytes[start..<end] }
    let first = bytes.prefix(ends[0])
    for order in [[1, 2, 3, 4, 5], [0, 2, 3, 4, 5], [1, 0, 2, 3, 4, 5], [0, 0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 3]] {
      try File.write([UInt8](first + order.flatMap { (index) in records[index] }), to: path)
      #expect(code { try open() } == .damaged, "\(order)")
    }
    try File.write(bytes, to: path)
    _ = try vault.changePassphrase(to: passphrase, cost: .test)
    try File.write(File.bytes(path) + records[0], to: path)
    #expect(code { try open() } == .damaged)
  }

  @Test func `no record contains a deleted passkey or a former PIN`() throws {
    let (vault, _, _) = try makeLog()
    let generation = { try File.bytes(path)[VaultHeader.byteCount - 32..<VaultHeader.byteCount - 16] }
    var before = try generation()
    try VaultOwner(of: vault).delete(vault.read().passkeys[0].id)
    #expect(try generation() != before)
    before = try generation()
    try VaultOwner(of: vault).setPIN(SecretBytes(utf8: "4711"))
    #expect(try generation() != before)
    before = try generation()
    let passkey = try #require(vault.read().passkeys.first { (passkey) in passkey.user != nil })
    try VaultOwner(of: vault).rename(passkey.id, name: "bo")
    #expect(try generation() == before)
  }

  @Test func `after a reset, no record contains the wrapping key or the persistent token`() throws {
    let vault = try FileVault.create(
      at: path, passphrase: passphrase, cost: .test, state: .factory(random: .system))
    let count = try File.bytes(path).count
    try VaultOwner(of: vault).reset()
    // The new state has the size of the old one, and no record follows it.
    #expect(try File.bytes(path).count == count)
  }

  @Test func `a long log is compacted`() throws {
    let vault = try makeVault()
    var (longest, rewrites, before) = (0, 0, 0)
    for number in 0..<500 {
      try vault.update { (state) in state.passkeys[0].signCount = UInt32(1000 + number) }
      let count = try File.bytes(path).count
      longest = max(longest, count)
      if count < before { rewrites += 1 }
      before = count
    }
    #expect(longest < 70 << 10)
    #expect((2...8).contains(rewrites))
    #expect(try open().read().passkeys[0].signCount == 1499)
  }

  @Test func `another process's records are read before a new one is appended`() throws {
    let (first, _, _) = try makeLog()
    let second = try open()
    for number in 0..<10 {
      try (number.isMultiple(of: 2) ? first : second).update { (state) in state.passkeys[0].signCount += 1 }
    }
    let expected = try open().read().encoded
    #expect(try first.read().encoded == expected)
    #expect(try second.read().encoded == expected)
  }

  @Test(arguments: [0, 1, 3] as [UInt8])
  func `a file of another version is refused and unchanged`(version: UInt8) throws {
    _ = try makeVault()
    var bytes = try File.bytes(path)
    #expect(bytes[9] == 2)
    bytes[9] = version
    try File.write(bytes, to: path)
    #expect(throws: VaultError(.newerVersion, path)) { try open() }
    #expect(try File.bytes(path) == bytes)
  }

  @Test func `a corrupt log is refused or opens at an earlier record`() throws {
    let (_, _, states) = try makeLog()
    let bytes = try File.bytes(path)
    let key = try open().key
    try PropertyRuns.check(default: 2_000) { (generator) in
      let corrupted = Mutation.mutated(bytes, using: &generator)
      guard let contents = try? VaultFile(parsing: corrupted[...], path: "").open(with: key, path: "") else { return }
      #expect(states.contains(contents.state.encoded))
    }
  }
}
