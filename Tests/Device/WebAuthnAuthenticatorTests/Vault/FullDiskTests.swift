// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// A full disk, on a real file system.
@Suite(.enabled(if: SmallFileSystem.refusal == nil, "\(SmallFileSystem.absence)"))
struct FullDiskTests {
  private let disk: SmallFileSystem
  private let passphrase = SecretBytes(utf8: "correct horse")
  private var path: String { disk.path + "/vault" }

  init() throws {
    disk = try SmallFileSystem(byteCount: 1 << 17)
  }

  private func device(_ vault: FileVault) throws -> TestPlatform {
    let authenticator = try SoftwareAuthenticator(
      vault: vault, profile: .withoutSensor, interaction: TestUser(), clock: WoundClock())
    return TestPlatform(authenticator: authenticator, version: .two)
  }

  private func makeVault() throws -> FileVault {
    try FileVault.create(
      at: path, passphrase: passphrase, cost: .test, state: .factory(random: .system))
  }

  /// Returns the error of a command that must fail.
  private func failure(_ body: () async throws -> Any) async -> CTAPError? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? CTAPError
    }
  }

  private var fullDisk: CTAPError {
    CTAPError(.other, "vault.no-space: \(path): no space left on device")
  }

  @Test func `a device works until the disk is full, reports it, and loses nothing`() async throws {
    try disk.fill(leaving: 1 << 16)
    let platform = try device(makeVault())
    var acknowledged: [Bytes] = []
    var before = try File.bytes(path)
    var failed: CTAPError?
    while failed == nil, acknowledged.count < 1000 {
      failed = await failure {
        acknowledged.append(try await platform.make(.sample(isDiscoverable: false)).credentialID)
      }
      if failed == nil { before = try File.bytes(path) }
    }
    #expect(failed == fullDisk)
    #expect(failed?.cause as? VaultError == VaultError(.noSpace, path, "no space left on device"))
    #expect(acknowledged.count > 10)

    // The previous vault is unchanged, and no new file remains.
    #expect(try File.bytes(path) == before)
    #expect(try File.names(in: disk.path).sorted() == ["ballast", "vault", "vault.lock"])
    let opened = try FileVault.open(at: path, passphrase: passphrase)
    #expect(try opened.read().passkeys.map { (passkey) in passkey.id.bytes[...] } == acknowledged)

    // The same device continues as soon as there is space.
    disk.makeRoom()
    acknowledged.append(try await platform.make(.sample(isDiscoverable: false)).credentialID)
    #expect(
      try FileVault.open(at: path, passphrase: passphrase).read().passkeys.map { (passkey) in passkey.id.bytes[...] }
        == acknowledged)
    #expect(try await platform.get(.sample(acknowledged[0])).authenticatorData.signCount == 1)
  }

  @Test func `on a full disk nothing that needs counting is signed, and reads continue`() async throws {
    let platform = try device(makeVault())
    let id = try await platform.make().credentialID
    try disk.fill()
    // The file's last page has space for a few changes. They succeed until it is full.
    var signCount: UInt32 = 0
    while await failure({ try await platform.get(.sample(id)) }) == nil { signCount += 1 }
    let vault = try FileVault.open(at: path, passphrase: passphrase)
    while (try? vault.update { (state) in state.remainingFingerAttempts ^= 1 }) != nil {}
    let before = try File.bytes(path)
    #expect(await failure { try await platform.get(.sample(id)) } == fullDisk)
    #expect(await failure { try await platform.setPIN("1234") } == fullDisk)
    #expect(await failure { try await platform.send(.reset) } == fullDisk)
    #expect(try File.bytes(path) == before)
    #expect(try await platform.info().options["clientPin"] == false)
    #expect(try FileVault.open(at: path, passphrase: passphrase).read().passkeys.first?.signCount == signCount)

    // A wrong passphrase is reported, even though the attempt cannot be counted.
    #expect(throws: VaultError(.wrongPassphrase, path)) {
      try FileVault.open(at: path, passphrase: SecretBytes(utf8: "wrong"))
    }
    let owner = VaultOwner(of: try FileVault.open(at: path, passphrase: passphrase))
    #expect(throws: fullDisk) { try owner.delete(CredentialID(id)) }
    disk.makeRoom()
    #expect(try await platform.get(.sample(id)).authenticatorData.signCount == signCount + 1)
    try owner.delete(CredentialID(id))
    #expect(try FileVault.open(at: path, passphrase: passphrase).read().passkeys.isEmpty)
  }

  @Test func `a vault that does not fit is not created`() throws {
    try disk.fill()
    #expect(throws: VaultError(.noSpace, path, "no space left on device")) { try makeVault() }
    #expect(try !File.names(in: disk.path).contains { (name) in name == "vault" || name == "vault.new" })
    disk.makeRoom()
    _ = try makeVault()
  }

  @Test func `a new passphrase that cannot be written has no effect`() throws {
    let vault = try makeVault()
    try disk.fill()
    #expect(throws: VaultError(.noSpace, path, "no space left on device")) {
      try vault.changePassphrase(to: SecretBytes(utf8: "battery staple"), cost: .test)
    }
    _ = try FileVault.open(at: path, passphrase: passphrase)
    disk.makeRoom()
    try vault.update { (state) in state.settings.forcesPINChange = true }
    #expect(try FileVault.open(at: path, passphrase: passphrase).read().settings.forcesPINChange)
  }
}
