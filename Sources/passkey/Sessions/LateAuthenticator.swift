// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// A device that is not looked for before it is needed: who only asks who is signed in is not asked for a passphrase.
final class LateAuthenticator: Authenticator {
  private let arguments: ParsedArguments
  private let source = Locked<DeviceSource?>(nil)

  /// What the user of a vault's device was asked and has answered already.
  private let confirmation: ConfirmedInteraction.Answer?

  /// The vault that is to be made, and why it could not be.
  private struct NewVault {
    var isAwaited = false
    var failure: CommandFailure?
  }

  private let newVault = Locked(NewVault())

  init(_ arguments: ParsedArguments, confirmation: ConfirmedInteraction.Answer?) {
    self.arguments = arguments
    self.confirmation = confirmation
  }

  /// Looks for it now, so that what is wrong with it is said as what it is. A vault that is not there is made by the first
  /// command of a ceremony, so that none is left behind where it never comes to one.
  func open(makesVault: Bool) throws(CommandFailure) {
    guard source.withLock({ (source) in source == nil }) else { return }
    if makesVault, try DeviceSource.wantsNewVault(arguments) {
      try DeviceSource.requireUser(arguments)
      return newVault.withLock { (newVault) in newVault.isAwaited = true }
    }
    let found = try DeviceSource(arguments, confirmation: confirmation)
    source.withLock { (source) in source = found }
  }

  /// The device, where it was looked for.
  var opened: WatchedDevice? { source.withLock { (source) in source }?.authenticator }

  /// A program that is the device gets the Ctrl-C of its terminal, too: the next ceremony starts it anew.
  func closeAfterInterruption() {
    guard let device = arguments["--device"], !device.hasPrefix("unix:") else { return }
    source.withLock { (source) in source = nil }
  }

  /// What to tell when a ceremony fails.
  func failure(_ error: ClientError) -> CommandFailure {
    if let failure = newVault.withLock({ (newVault) in newVault.failure }) { return failure }
    return source.withLock { (source) in source }?.failure(error) ?? CommandFailure(error)
  }

  func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    if newVault.withLock({ (newVault) in newVault.isAwaited }) { try await makeVault() }
    guard let opened else { throw CTAPError(.operationDenied) }
    return try await opened.perform(command, parameters)
  }

  /// Somebody may have to type the passphrase of the new one.
  private func makeVault() async throws(CTAPError) {
    newVault.withLock { (newVault) in newVault.isAwaited = false }
    let made = await SystemThread.run { [arguments, confirmation] () -> Result<DeviceSource, CommandFailure> in
      do throws(CommandFailure) {
        return .success(try DeviceSource(arguments, makesVault: true, confirmation: confirmation))
      } catch {
        return .failure(error)
      }
    }
    switch made {
    case .success(let made): source.withLock { (source) in source = made }
    case .failure(let failure):
      newVault.withLock { (newVault) in newVault.failure = failure }
      throw CTAPError(.operationDenied, failure.message)
    case nil: throw CTAPError(.operationDenied, "the system has no thread left")
    }
  }

  func cancel() async {
    await opened?.cancel()
  }
}
