// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Foundation
import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct FileVaultTests: VaultSuite {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a vault is read again with the same passphrase`() throws {
    let vault = try makeVault()
    try vault.update { (state) in state.passkeys[0].signCount = 77 }
    let opened = try open()
    #expect(try opened.read().passkeys.map(\.signCount) == [77, 1])
  }

  @Test func `only the owner can access the file`() throws {
    _ = try makeVault()
    for name in try File.names(in: folder.path) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test func `the file contains no secret in plain text`() throws {
    let state = try DeviceState.sample()
    _ = try makeVault()
    let bytes = try File.bytes(path)
    for secret in [[UInt8]("raxx.app".utf8), state.passkeys[0].privateKey.exposedBytes, [UInt8]("ada@".utf8)] {
      #expect(!bytes.contains(run: secret))
    }
  }

  @Test func `wrong passphrases are reported, and counted until the right one`() throws {
    _ = try makeVault()
    for _ in 0..<3 {
      #expect(throws: VaultError(.wrongPassphrase, path)) {
        try FileVault.open(at: path, passphrase: SecretBytes(utf8: "wrong"))
      }
    }
    let opened = try open()
    #expect(opened.takeWrongPassphraseCount() == 3)
    #expect(opened.takeWrongPassphraseCount() == 0)
  }

  @Test func `a vault is not created over another file`() throws {
    _ = try makeVault()
    #expect(throws: VaultError(.exists, path)) { try makeVault() }
    let note = folder.path + "/note"
    try File.write([1, 2, 3], to: note)
    #expect(throws: VaultError(.exists, note)) {
      try FileVault.create(at: note, passphrase: passphrase, cost: .test, state: .sample())
    }
    #expect(try File.bytes(note) == [1, 2, 3])
  }

  @Test func `a file that is not a vault is reported`() throws {
    #expect(throws: VaultError(.missing, path)) { try open() }
    try File.write([UInt8]("-----BEGIN OPENSSH PRIVATE KEY-----".utf8), to: path)
    #expect(throws: VaultError(.foreign, path)) { try open() }
    #expect(throws: VaultError(.foreign, folder.path, "it is not a regular file")) {
      try FileVault.open(at: folder.path, passphrase: passphrase)
    }
  }

  @Test func `a truncated file is reported at every length, and unchanged`() throws {
    _ = try makeVault()
    let bytes = try File.bytes(path)
    for count in stride(from: 0, to: bytes.count, by: Sanitizer.stride) {
      try File.write([UInt8](bytes.prefix(count)), to: path)
      #expect(code { try open() } == .truncated, "\(count) bytes")
      if count.isMultiple(of: 16) { #expect(try File.bytes(path).count == count) }
    }
  }

  @Test func `a flipped bit is detected in every byte`() throws {
    _ = try makeVault()
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

  @Test func `a modified header with a correct hash is refused`() throws {
    _ = try makeVault()
    var bytes = try File.bytes(path)
    bytes[VaultHeader.checkedByteCount + VaultHeader.checkByteCount] ^= 1
    try File.write(withHeaderHash(bytes), to: path)
    #expect(code { try open() } == .damaged)
  }

  @Test func `an excessive key derivation cost is refused before it is computed`() throws {
    _ = try makeVault()
    var bytes = try File.bytes(path)
    bytes[10] = 31
    try File.write(withHeaderHash(bytes), to: path)
    #expect(code { try open() } == .unreasonableCost)
  }

  /// Returns the file with a valid header hash.
  private func withHeaderHash(_ bytes: [UInt8]) -> [UInt8] {
    let covered = bytes.prefix(VaultHeader.byteCount - 16)
    return [UInt8](covered) + Digest.sha256(covered).prefix(16) + bytes.dropFirst(VaultHeader.byteCount)
  }

  @Test func `a file that is corrupted while a device runs is reported, and not overwritten`() throws {
    let vault = try makeVault()
    try vault.update { (state) in state.passkeys[0].signCount = 7 }
    var corrupted = try File.bytes(path)
    corrupted[VaultHeader.byteCount + 3] ^= 1
    try File.write(corrupted, to: path)
    do {
      try vault.update { (state) in state.passkeys[0].signCount = 9 }
      Issue.record("a damaged vault was overwritten")
    } catch {
      #expect(error.status == .other)
      #expect(error.detail?.hasPrefix("vault.damaged: ") == true)
    }
    #expect(try File.bytes(path) == corrupted)
  }

  @Test func `a change that throws leaves the file unchanged`() throws {
    let vault = try makeVault()
    let before = try File.bytes(path)
    #expect(throws: CTAPError(.keyStoreFull)) {
      try vault.update { (state) throws(CTAPError) in
        state.passkeys.removeAll()
        throw CTAPError(.keyStoreFull)
      }
    }
    #expect(try File.bytes(path) == before)
    #expect(try vault.read().passkeys.count == 2)
  }

  @Test func `concurrent changes of two processes are both stored`() throws {
    let first = try makeVault()
    let second = try open()
    let group = DispatchGroup()
    for vault in [first, second, first, second] {
      group.enter()
      onOwnThread {
        for _ in 0..<25 { _ = try? vault.update { (state) in state.passkeys[0].signCount += 1 } }
        group.leave()
      }
    }
    group.wait()
    #expect(try first.read().passkeys[0].signCount == 100)
    #expect(try open().read().passkeys[0].signCount == 100)
  }

  @Test func `remains of a killed process do not block the vault`() throws {
    let vault = try makeVault()
    try File.write([UInt8]("half of a".utf8), to: path + ".new")
    try vault.update { (state) in state.passkeys[0].signCount = 9 }
    #expect(try open().read().passkeys[0].signCount == 9)
  }

  @Test func `a missing folder is reported, and the state stays`() throws {
    let vault = try makeVault()
    try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + ".moved")
    defer { try? FileManager.default.moveItem(atPath: folder.path + ".moved", toPath: folder.path) }
    do {
      try vault.update { (state) in state.passkeys[0].signCount = 9 }
      Issue.record("written to nowhere")
    } catch {
      #expect(error.status == .other)
      #expect(error.detail?.hasPrefix("vault.unwritable: ") == true)
    }
  }

  @Test func `a symbolic link is refused as a vault, and its target is unchanged`() throws {
    _ = try makeVault()
    let before = try File.bytes(path)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let reason = "it is a symbolic link, which is not followed"
    #expect(throws: VaultError(.unreadable, link, reason)) { try FileVault.open(at: link, passphrase: passphrase) }
    #expect(throws: VaultError(.unreadable, link, reason)) {
      try FileVault.create(at: link, passphrase: passphrase, cost: .test, state: .sample())
    }
    #expect(try File.bytes(path) == before)
  }

  @Test func `a symbolic link is refused as a lock, and its target is not created`() throws {
    let vault = try makeVault()
    let target = folder.path + "/target"
    try FileManager.default.removeItem(atPath: path + ".lock")
    try FileManager.default.createSymbolicLink(atPath: path + ".lock", withDestinationPath: target)
    let failure = expect(.other) { try vault.update { (state) in state.passkeys[0].signCount = 9 } }
    #expect(failure?.detail == "vault.unwritable: \(path): \(path).lock: it is a symbolic link, which is not followed")
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func `a lock that another program holds is waited for, up to a limit`() throws {
    _ = try makeVault()
    let holder = try OpenFile(path + ".lock", .readingAndWriting)
    try holder.lock()
    let folder = VaultFolder(path)
    #expect(
      throws: VaultError(.unwritable, path, "\(path).lock: another program has had the lock for 0.05 seconds")
    ) { try folder.lock(for: .milliseconds(50)) }
    holder.unlock()
    try folder.lock(for: .seconds(60)).unlock()
  }

  @Test func `a symbolic link instead of the passphrase counter is unchanged`() throws {
    _ = try makeVault()
    let target = folder.path + "/target"
    try File.write([1, 2, 3], to: target)
    try FileManager.default.createSymbolicLink(atPath: path + ".wrong", withDestinationPath: target)
    #expect(code { try FileVault.open(at: path, passphrase: SecretBytes(utf8: "wrong")) } == .wrongPassphrase)
    #expect(try File.bytes(target) == [1, 2, 3])
  }

  @Test func `a FIFO instead of the vault, its lock or its counter is refused at once`() throws {
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let reason = "it is not a regular file"
    #expect(throws: VaultError(.foreign, path, reason)) { try open() }
    #expect(throws: VaultError(.foreign, path, reason)) { try makeVault() }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.removeItem(atPath: path + ".lock")
    let vault = try makeVault()
    for ending in [".lock", ".wrong"] {
      try? FileManager.default.removeItem(atPath: path + ending)
      #expect(unsafe mkfifo(path + ending, 0o600) == 0)
    }
    let failure = expect(.other) { try vault.update { (state) in state.passkeys[0].signCount = 9 } }
    #expect(failure?.detail == "vault.unwritable: \(path): \(path).lock: \(reason)")
    #expect(code { try FileVault.open(at: path, passphrase: SecretBytes(utf8: "wrong")) } == .wrongPassphrase)
    #expect(vault.takeWrongPassphraseCount() == 0)
  }

  @Test func `only the new passphrase opens the vault`() throws {
    let vault = try makeVault()
    let other = SecretBytes(utf8: "battery staple")
    let changed = try vault.changePassphrase(to: other, cost: .test)
    #expect(try changed.read().passkeys.count == 2)
    #expect(try FileVault.open(at: path, passphrase: other).read().passkeys.count == 2)
    #expect(throws: VaultError(.wrongPassphrase, path)) { try open() }
    #expect(throws: CTAPError(.other, "vault.wrong-passphrase: \(path)")) { try vault.read() }
  }

  @Test func `no two writes share a nonce`() throws {
    let vault = try makeVault()
    var nonces: Set<[UInt8]> = []
    var end = try File.bytes(path).count
    for number in 0..<50 {
      try vault.update { (state) in state.passkeys[0].signCount = UInt32(1000 + number) }
      let bytes = try File.bytes(path)
      nonces.insert([UInt8](bytes[end + 12..<end + 24]))
      end = bytes.count
    }
    #expect(nonces.count == 50)
  }

  @Test func `a vault that others may write to is refused`() throws {
    _ = try makeVault()
    for mode: mode_t in [0o620, 0o602, 0o666] {
      unsafe chmod(path, mode)
      #expect(throws: VaultError(.writableByOthers, path)) { try open() }
    }
  }

  @Test(arguments: [(0o600, false), (0o640, true), (0o604, true)])
  func `a vault that others may read is reported`(_ mode: mode_t, _ isReadable: Bool) throws {
    _ = try makeVault()
    unsafe chmod(path, mode)
    #expect(try open().isReadableByOthers == isReadable)
  }

  @Test func `a cached key opens the vault until the passphrase changes`() throws {
    let vault = try makeVault()
    let key = try #require(VaultKey(secret: vault.key.secret))
    #expect(try FileVault.salt(at: path) == key.salt)
    #expect(try FileVault.open(at: path, key: key).read().passkeys.count == 2)
    _ = try vault.changePassphrase(to: SecretBytes(utf8: "battery staple"), cost: .test)
    #expect(throws: VaultError(.wrongPassphrase, path)) { try FileVault.open(at: path, key: key) }
    #expect(VaultKey(secret: SecretBytes([1, 2, 3])) == nil)
  }
}

extension [UInt8] {
  fileprivate func contains(run: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: run) }
  }
}
