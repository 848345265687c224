// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// A device that is not looked for before it is needed: who only asks who is signed in is not asked for a passphrase.
final class LateAuthenticator: Authenticator {
  private let arguments: ParsedArguments
  private let source = Locked<DeviceSource?>(nil)

  /// What the user of a vault's device was asked and has answered already.
  private let confirmation: ConfirmedInteraction.Answer

  init(_ arguments: ParsedArguments, confirmation: ConfirmedInteraction.Answer) {
    self.arguments = arguments
    self.confirmation = confirmation
  }

  /// Looks for it now, so that what is wrong with it is said as what it is.
  func open(makesVault: Bool) throws(CommandFailure) {
    guard source.withLock({ (source) in source == nil }) else { return }
    let found = try DeviceSource(arguments, makesVault: makesVault, confirmation: confirmation)
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
    source.withLock { (source) in source }?.failure(error) ?? CommandFailure(error)
  }

  func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    guard let opened else { throw CTAPError(.operationDenied) }
    return try await opened.perform(command, parameters)
  }

  func cancel() async {
    await opened?.cancel()
  }
}
