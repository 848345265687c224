// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// An older copy in place of a vault's file.
struct RollbackTests {
  private let folder: TemporaryFolder
  private let notes: TemporaryFolder
  private var path: String { folder.path + "/vault" }
  private let passphrase = SecretBytes(utf8: "correct horse")

  init() throws {
    folder = try TemporaryFolder()
    notes = try TemporaryFolder()
  }

  private func makeVault() throws -> FileVault {
    try FileVault.create(
      at: path, passphrase: passphrase, cost: .test, state: .sample(), rollbackGuard: RollbackGuard(folder: notes.path))
  }

  private func open(acceptingRollback: Bool = false) throws -> FileVault {
    try FileVault.open(
      at: path, passphrase: passphrase,
      rollbackGuard: RollbackGuard(folder: notes.path, acceptingRollback: acceptingRollback))
  }

  private func spendPINAttempt(_ vault: FileVault) throws {
    try vault.update { (state) in state.pin?.remainingAttempts -= 1 }
  }

  private func expectRollback(_ detail: String, _ body: () throws -> Any) {
    #expect(throws: VaultError(.rolledBack, path, detail)) { _ = try body() }
  }

  @Test func `an older copy does not restore PIN attempts`() throws {
    let vault = try makeVault()
    let copy = try File.bytes(path)
    try spendPINAttempt(vault)
    try spendPINAttempt(vault)
    try File.write(copy, to: path)
    expectRollback("it is at change 1, and was at 3 when last used here") { try open() }
    // A running device detects it too.
    let told = "vault.rolled-back: \(path): it is at change 1, and was at 3 when last used here"
    #expect(throws: CTAPError(.other, told)) { try vault.read() }
    #expect(try File.bytes(path) == copy)
  }

  @Test func `a file that lost whole records is reported`() throws {
    let vault = try makeVault()
    let count = try File.bytes(path).count
    try spendPINAttempt(vault)
    for cut in [count, count + 10] {
      try File.write([UInt8](File.bytes(path).prefix(cut)), to: path)
      expectRollback("it is at change 1, and was at 2 when last used here") { try open() }
    }
  }

  @Test func `a diverged copy is reported`() throws {
    let vault = try makeVault()
    let copy = try File.bytes(path)
    try spendPINAttempt(vault)
    let noted = try File.names(in: notes.path).map { (name) in try File.bytes("\(notes.path)/\(name)") }
    try File.write(copy, to: path)
    try spendPINAttempt(try open(acceptingRollback: true))
    for (name, bytes) in zip(try File.names(in: notes.path), noted) {
      try File.write(bytes, to: "\(notes.path)/\(name)")
    }
    expectRollback("its change 2 differs from the one last used here") { try open() }
  }

  @Test func `an accepted copy becomes the vault`() throws {
    let vault = try makeVault()
    let copy = try File.bytes(path)
    try spendPINAttempt(vault)
    try File.write(copy, to: path)
    #expect(try open(acceptingRollback: true).read().pin?.remainingAttempts == 5)
    try spendPINAttempt(try open())
    #expect(try open().read().pin?.remainingAttempts == 4)
  }

  @Test func `a changed passphrase or a rewritten file is not a rollback, and the old file is`() throws {
    let vault = try makeVault()
    let copy = try File.bytes(path)
    let changed = try vault.changePassphrase(to: passphrase, cost: .test)
    try VaultOwner(of: changed).reset()
    #expect(try open().read().passkeys.isEmpty)
    try File.write(copy, to: path)
    expectRollback("it is at change 1, and was at 3 when last used here") { try open() }
  }

  @Test func `another vault at the path, a newer file and an unreadable note are not rollbacks`() throws {
    try spendPINAttempt(try makeVault())
    unsafe unlink(path)
    try spendPINAttempt(try makeVault())
    let other = try FileVault.open(at: path, passphrase: passphrase)
    try spendPINAttempt(other)
    _ = try open()
    for name in try File.names(in: notes.path) { try File.write([0x7b], to: "\(notes.path)/\(name)") }
    try spendPINAttempt(try open())
    #expect(try open().read().pin?.remainingAttempts == 2)
  }

  @Test func `a vault is identified by its absolute path`() throws {
    _ = try makeVault()
    let other = try TemporaryFolder()
    unsafe symlink(folder.path, other.path + "/link")
    let linked = try FileVault.open(
      at: other.path + "/link/vault", passphrase: passphrase, rollbackGuard: RollbackGuard(folder: notes.path))
    #expect(linked.absolutePath == path)
    let copy = try File.bytes(path)
    try spendPINAttempt(linked)
    #expect(try File.names(in: notes.path).count == 1)
    try File.write(copy, to: path)
    expectRollback("it is at change 1, and was at 2 when last used here") { try open() }
  }

  @Test func `two writers do not report each other`() throws {
    let vaults = [try makeVault(), try open()]
    for number in 0..<20 {
      try vaults[number % 2].update { (state) in state.passkeys[0].signCount += 1 }
      _ = try vaults[(number + 1) % 2].read()
    }
    #expect(try open().read().passkeys[0].signCount == 20)
  }
}
