// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// A device that is not looked for before it is needed: who only asks who is signed in is not asked for a passphrase.
final class LateAuthenticator: Authenticator {
  private let find: @Sendable () throws(CommandFailure) -> any Authenticator
  private let found = Locked<(any Authenticator)?>(nil)

  init(_ find: @escaping @Sendable () throws(CommandFailure) -> any Authenticator) {
    self.find = find
  }

  /// Looks for it now, so that what is wrong with it is said as what it is.
  func open() throws(CommandFailure) {
    guard found.withLock({ (found) in found == nil }) else { return }
    let device = try find()
    found.withLock { (found) in found = device }
  }

  func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    guard let device = found.withLock({ (found) in found }) else { throw CTAPError(.operationDenied) }
    return try await device.perform(command, parameters)
  }

  func cancel() async {
    await found.withLock { (found) in found }?.cancel()
  }
}
