// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// An authenticator that opens its device on first use, so that `whoami` never prompts for a passphrase.
final class LateAuthenticator: Authenticator {
  private let arguments: ParsedArguments
  private let source = Locked<DeviceSource?>(nil)

  /// The confirmation that the user has already given.
  private let confirmation: ConfirmedInteraction.Answer?

  /// The vault that will be created, and the error if that failed.
  private struct NewVault {
    var isAwaited = false
    var failure: CommandFailure?
  }

  private let newVault = Locked(NewVault())

  init(_ arguments: ParsedArguments, confirmation: ConfirmedInteraction.Answer?) {
    self.arguments = arguments
    self.confirmation = confirmation
  }

  /// Opens the device now, so that its errors are reported as such. A missing vault is created by the first command of
  /// a ceremony, so that a failure before it leaves no vault.
  func open(makesVault: Bool) throws(CommandFailure) {
    guard source.withLock({ (source) in source == nil }) else { return }
    if makesVault, try DeviceSource.wantsNewVault(arguments) {
      try DeviceSource.requireUser(arguments)
      return newVault.withLock { (newVault) in newVault.isAwaited = true }
    }
    let found = try DeviceSource(arguments, confirmation: confirmation)
    source.withLock { (source) in source = found }
  }

  /// The device, if it has been opened.
  var opened: WatchedDevice? { source.withLock { (source) in source }?.authenticator }

  /// Discards a device process that Ctrl-C has also interrupted. The next ceremony starts it again.
  func closeAfterInterruption() {
    guard let device = arguments["--device"], !device.hasPrefix("unix:") else { return }
    source.withLock { (source) in source = nil }
  }

  /// Describes a failed ceremony.
  func failure(_ error: ClientError) -> CommandFailure {
    if let failure = newVault.withLock({ (newVault) in newVault.failure }) { return failure }
    return source.withLock { (source) in source }?.failure(error) ?? CommandFailure(error)
  }

  func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    if newVault.withLock({ (newVault) in newVault.isAwaited }) { try await makeVault() }
    guard let opened else { throw CTAPError(.operationDenied) }
    return try await opened.perform(command, parameters)
  }

  /// Creates the vault on a separate thread, because the user may have to type a passphrase.
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
