// SPDX-License-Identifier: Apache-2.0

internal import BrowserBridge
internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import PasskeyTesting
internal import WebAuthnAuthenticator
internal import WebAuthnClient
internal import WebAuthnTypes

/// The device of one ceremony in a browser. It is opened by the first command and closed after the ceremony, so that the
/// host keeps no key of the vault.
final class VaultBrowserDevice: BrowserDevice {
  private let device: LazyAuthenticator
  private let fault: TestBrowser.Fault?

  init(_ choice: DeviceChoice, asking interaction: any UserInteraction, fault: TestBrowser.Fault?) {
    device = LazyAuthenticator(DeviceOpener(choice, asking: interaction))
    self.fault = fault
  }

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    try await device.perform(command, parameters)
  }

  func cancel() async {
    await device.cancel()
  }

  func notice(of error: ClientError) -> String {
    let failure = device.failure(error)
    let text = failure.message + (failure.hint.map { (hint) in "; \(hint)" } ?? "")
    return text.contains(failure.code) ? text : "\(text) (\(failure.code))"
  }

  func discardRegistration() async {
    _ = await SystemThread.run { [device] in device.undoRegistrationWithoutResponse() }
  }

  func json(of response: RegistrationResponse) async throws(BrowserError) -> [UInt8] {
    guard let fault else { return response.json }
    return try mapError(fault.json(of: response), Self.notApplicable)
  }

  func json(of response: AuthenticationResponse) async throws(BrowserError) -> [UInt8] {
    guard let fault else { return response.json }
    let key = try await SystemThread.run { [device] () throws(BrowserError) in
      try Self.key(of: response.id, in: device.vault)
    }
    guard let key else { throw BrowserError(.faultNotApplicable, "the system cannot start a thread") }
    return try mapError(fault.json(of: response, key: key), Self.notApplicable)
  }

  /// Returns the key with which a changed response is signed again.
  private static func key(of id: CredentialID, in vault: (any Vault)?) throws(BrowserError) -> SigningKey {
    do {
      guard let passkey = try vault?.read().passkeys.first(where: { (passkey) in passkey.id == id }) else {
        throw BrowserError(
          .faultNotApplicable, "the key is sealed in the passkey's id: use --non-discoverable in-vault")
      }
      return try SigningKey(passkey.algorithm, pkcs8: passkey.privateKey)
    } catch let error as BrowserError {
      throw error
    } catch {
      throw BrowserError(.faultNotApplicable, "\(error)")
    }
  }

  private static func notApplicable(_ error: FaultError) -> BrowserError {
    BrowserError(.faultNotApplicable, "\(error)")
  }
}
