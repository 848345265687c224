// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// authenticatorClientPIN (CTAP 2.3 §6.5.5).
extension SoftwareAuthenticator {
  /// Executes one authenticatorClientPIN subcommand.
  func clientPIN(_ encoded: Bytes) async throws(CTAPError) -> [UInt8] {
    let parameters = try CommandParameters(parsing: encoded)
    let number = try parameters.unsigned(ClientPINKey.subcommand)
    guard let subcommand = ClientPINSubcommand(rawValue: number) else {
      throw CTAPError(.invalidSubcommand, "clientPIN \(number)")
    }
    switch subcommand {
    case .getPINRetries: return try getPINRetries()
    case .getKeyAgreement: return try getKeyAgreement(parameters)
    case .setPIN: return try setPIN(parameters)
    case .changePIN: return try changePIN(parameters)
    case .getPINToken: return try getPINToken(parameters)
    case .getTokenUsingFinger: return try await getTokenUsingFinger(parameters)
    case .getFingerRetries: return try getFingerRetries()
    case .getTokenUsingPIN: return try getTokenUsingPIN(parameters)
    }
  }

  /// Returns the remaining PIN attempts (§6.5.5.2). The standard does not define the response of a device without a
  /// PIN; like other authenticators, this one throws `PIN_NOT_SET`.
  private func getPINRetries() throws(CTAPError) -> [UInt8] {
    guard let pin = try vault.read().pin else { throw CTAPError(.pinNotSet) }
    return CBORWriter.bytes(of: [
      ClientPINReplyKey.pinRetries: .unsigned(UInt64(pin.remainingAttempts)),
      ClientPINReplyKey.powerCycleState: .bool(session.needsPowerCycle),
    ])
  }

  /// Returns the remaining fingerprint attempts (§6.5.5.3).
  private func getFingerRetries() throws(CTAPError) -> [UInt8] {
    guard profile.hasFingerprintSensor else {
      throw CTAPError(.invalidSubcommand, "the device has no fingerprint sensor")
    }
    let remaining = try vault.read().remainingFingerAttempts
    return CBORWriter.bytes(of: [ClientPINReplyKey.fingerRetries: .unsigned(UInt64(remaining))])
  }

  /// Returns the device's key agreement key (§6.5.5.4).
  private func getKeyAgreement(_ parameters: CommandParameters) throws(CTAPError) -> [UInt8] {
    let version = try PINProtocol(number: parameters.unsignedIfPresent(ClientPINKey.pinUVAuthProtocol))
    let key = session.keyAgreement[version].publicKey
    return CBORWriter.bytes(of: [ClientPINReplyKey.keyAgreement: key.tree])
  }
}

// MARK: Steps shared by several subcommands

extension SoftwareAuthenticator {
  /// Parses the platform's key agreement key. Its point is validated when the shared secret is derived.
  func platformKey(_ parameters: CommandParameters) throws(CTAPError) -> COSEKey {
    let value = try parameters.require(ClientPINKey.keyAgreement) { (value) throws(WireError) in
      _ = try value.map
      return value
    }
    return try mapError(COSEKey(value, rules: .canonical)) { (error: COSEError) in
      CTAPError(.invalidParameter, "\(error)")
    }
  }

  /// Requires a PIN with remaining attempts. Throws `PIN_AUTH_BLOCKED` if the device requires a power cycle first.
  func requirePINAttempts() throws(CTAPError) {
    guard let pin = try vault.read().pin else { throw CTAPError(.pinNotSet) }
    guard pin.remainingAttempts > 0 else { throw CTAPError(.pinBlocked) }
    guard !session.needsPowerCycle else { throw CTAPError(.pinAuthBlocked) }
  }

  /// Verifies the PIN (§6.5.5.6, steps 6 to 8; §6.5.5.7.1 and §6.5.5.7.2, steps 8 to 10).
  func requirePIN(_ pinHashEnc: Bytes, _ secret: SharedSecret) throws(CTAPError) {
    // Consume the attempt before checking the PIN, so that cutting the power does not save an attempt.
    let pin = try vault.update { (state) throws(CTAPError) in
      guard var pin = state.pin else { throw CTAPError(.pinNotSet) }
      guard pin.remainingAttempts > 0 else { throw CTAPError(.pinBlocked) }
      pin.remainingAttempts -= 1
      state.pin = pin
      return pin
    }
    guard let presented = try? secret.decrypt(pinHashEnc), presented == pin.hash else {
      try renewKeyAgreement(secret.version)
      session.consecutiveWrongPINs += 1
      guard pin.remainingAttempts > 0 else { throw CTAPError(.pinBlocked) }
      throw CTAPError(session.needsPowerCycle ? .pinAuthBlocked : .pinInvalid)
    }
    session.consecutiveWrongPINs = 0
    // The correct PIN also resets the fingerprint attempts (§6.5.2.3).
    try vault.update { (state) in
      state.pin?.remainingAttempts = PINState.maximumAttempts
      state.remainingFingerAttempts = DeviceState.maximumFingerAttempts
    }
  }

  private func renewKeyAgreement(_ version: PINProtocol) throws(CTAPError) {
    session.keyAgreement[version] = try mapError(KeyAgreement(random: random), CTAPError.init(other:))
  }
}
