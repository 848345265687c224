// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
package import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
package import WebAuthnAuthenticator
package import WebAuthnClient

/// An authenticator that opens its device on first use, so that `whoami` never prompts for a passphrase.
package final class LazyAuthenticator: Authenticator {
  private let opener: DeviceOpener
  private let isConsentGiven: Bool
  private let recorder = CredentialRecorder()

  /// Creates an authenticator. If `isConsentGiven` is true, a vault's device does not ask the user.
  package init(_ opener: DeviceOpener, isConsentGiven: Bool = false) {
    self.opener = opener
    self.isConsentGiven = isConsentGiven
  }

  /// The vault with the passkeys; nil for another device, or before the device is open.
  package var vault: (any Vault)? { opener.device?.vault }

  /// The passkey that was created last.
  package var made: CredentialRecorder.Made? { recorder.made }

  /// The passkeys that the last assertion returned, in the device's order.
  package var found: [CredentialRecorder.Found] { recorder.found(in: vault) }

  package func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    let device = try await open()
    recorder.begin(command, with: device.vault)
    let reply = try await authenticator(of: device).perform(command, parameters)
    recorder.end(command, reply, with: device.vault)
    return reply
  }

  package func cancel() async {
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
      throw CTAPError(.operationDenied, error.message, cause: error)
    }
    guard let opened else { throw CTAPError(.operationDenied, "the system has no thread left") }
    return opened
  }

  /// Describes a failed ceremony. A device that could not be opened reports its own failure.
  package func failure(_ error: ClientError) -> CommandFailure {
    error.cause as? CommandFailure ?? opener.failure(error)
  }
}
