// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import CommandLineTool
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnAuthenticator
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// An authenticator that opens its device on first use, so that `whoami` never prompts for a passphrase. It records
/// which passkey was created and which passkeys signed.
final class LazyAuthenticator: Authenticator {
  /// A newly created passkey.
  struct Made: Sendable {
    let id: CredentialID
    /// Whether the vault contains it. A non-discoverable credential may be sealed in its ID instead.
    let isInVault: Bool
    /// The passkeys that it replaced, as far as the vault shows.
    let replaced: [StoredPasskey]
  }

  /// A passkey that signed.
  struct Found: Sendable {
    let id: CredentialID
    /// The creation time, if known.
    let created: Timestamp?
  }

  private struct Record {
    var made: Made?
    var found: [CredentialID] = []
    /// Why the device could not be opened.
    var failure: CommandFailure?
  }

  private let opener: DeviceOpener
  private let isConsentGiven: Bool
  private let record = Locked(Record())

  /// Creates an authenticator. If `isConsentGiven` is true, a vault's device does not ask the user.
  init(_ opener: DeviceOpener, isConsentGiven: Bool = false) {
    self.opener = opener
    self.isConsentGiven = isConsentGiven
  }

  /// The vault with the passkeys; nil for another device, or before the device is open.
  var vault: FileVault? { opener.device?.vault }

  /// The passkey that was created last.
  var made: Made? { record.withLock { (record) in record.made } }

  /// The passkeys that the last assertion returned, in the device's order.
  var found: [Found] {
    let ids = record.withLock { (record) in record.found }
    let passkeys = passkeys
    return ids.map { (id) in Found(id: id, created: passkeys.first { (passkey) in passkey.id == id }?.created) }
  }

  func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    let device = authenticator(of: try await open())
    let before = command == .makeCredential ? passkeys : []
    let reply = try await device.perform(command, parameters)
    switch command {
    case .makeCredential:
      let made = made(reply, before)
      record.withLock { (record) in record.made = made }
    case .getAssertion:
      let id = Self.credential(in: reply)
      record.withLock { (record) in record.found = id.map { (id) in [id] } ?? [] }
    case .getNextAssertion:
      if let id = Self.credential(in: reply) { record.withLock { (record) in record.found.append(id) } }
    default: break
    }
    return reply
  }

  func cancel() async {
    if let device = opener.device { await authenticator(of: device).cancel() }
  }

  private func authenticator(of device: DeviceOpener.Device) -> any Authenticator {
    isConsentGiven ? device.consenting : device.asking
  }

  /// Opens the device on a separate thread, because the user may have to type a passphrase.
  private func open() async throws(CTAPError) -> DeviceOpener.Device {
    if let device = opener.device { return device }
    let opened: DeviceOpener.Device?
    do throws(CommandFailure) {
      opened = try await SystemThread.run { [opener] () throws(CommandFailure) in try opener.open() }
    } catch {
      record.withLock { (record) in record.failure = error }
      throw CTAPError(.operationDenied, error.message)
    }
    guard let opened else { throw CTAPError(.operationDenied, "the system has no thread left") }
    return opened
  }

  /// Describes a failed ceremony.
  func failure(_ error: ClientError) -> CommandFailure {
    let failure = record.withLock { (record) in
      defer { record.failure = nil }
      return record.failure
    }
    return failure ?? opener.failure(error)
  }

  /// The passkeys in the vault. Read errors are ignored here; callers that need the contents report them.
  private var passkeys: [StoredPasskey] { (try? vault?.read().passkeys) ?? [] }

  private func made(_ reply: Bytes, _ before: [StoredPasskey]) -> Made? {
    guard let read = try? MakeCredentialReply(parsing: reply),
      let bytes = read.authenticatorData.attestedCredentialData?.credentialID, let id = try? CredentialID(bytes)
    else { return nil }
    let after = passkeys
    let new = after.first { (passkey) in passkey.id == id }
    let replaced = before.filter { (passkey) in
      passkey.relyingPartyIDHash == new?.relyingPartyIDHash && passkey.user?.id == new?.user?.id
        && !after.contains { (other) in other.id == passkey.id }
    }
    return Made(id: id, isInVault: new != nil, replaced: replaced)
  }

  private static func credential(in reply: Bytes) -> CredentialID? {
    (try? GetAssertionReply(parsing: reply))?.credential?.id
  }
}
