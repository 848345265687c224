// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

// authenticatorConfig (CTAP 2.3 §6.11).
extension SoftwareAuthenticator {
  /// The supported subcommands, as authenticatorGetInfo lists them.
  var configurationSubcommands: [ConfigurationSubcommand] {
    ConfigurationSubcommand.allCases.filter { (subcommand) in
      subcommand != .enableEnterpriseAttestation || profile.attestation.enterpriseMaker != nil
    }
  }

  /// Executes one authenticatorConfig subcommand.
  func authenticatorConfig(_ encoded: Bytes) throws(CTAPError) -> [UInt8] {
    // 1. The subcommand parameter is present.
    let request = try SubcommandRequest<ConfigurationSubcommand>(
      .authenticatorConfig, CommandParameters(parsing: encoded), keys: .standard)
    // 2. The subcommand is supported.
    let subcommand = request.subcommand
    guard configurationSubcommands.contains(subcommand) else {
      throw CTAPError(.invalidSubcommand, "authenticatorConfig \(subcommand.rawValue)")
    }
    // 3, 4. If user verification is set up or always required, the request is authorized. Exception: without any user
    //       verification method, a client may use toggleAlwaysUv to turn alwaysUv off again.
    let state = try vault.read()
    let turnsAlwaysUVOff = subcommand == .toggleAlwaysUv && !isProtected(state)
    if isProtected(state) || state.settings.alwaysRequiresUserVerification && !turnsAlwaysUVOff {
      try authorize(
        request.pinUVAuthParameter, protocol: request.protocolNumber,
        over: [UInt8](repeating: 0xff, count: 32) + [CTAPCommand.authenticatorConfig.rawValue, request.byte]
          + request.encodedParameters,
        permission: .authenticatorConfiguration, relyingPartyID: nil)
    }
    // 5. Execute the subcommand.
    switch subcommand {
    case .enableEnterpriseAttestation: try changeSettings { (settings) in settings.allowsEnterpriseAttestation = true }
    case .toggleAlwaysUv: try changeSettings { (settings) in settings.alwaysRequiresUserVerification.toggle() }
    case .setMinPINLength: try setMinPINLength(MinPINLengthRequest(request.parameters))
    case .enableLongTouchForReset: try changeSettings { (settings) in settings.needsLongTouchForReset = true }
    }
    return []
  }

  private func changeSettings(_ change: (inout DeviceSettings) -> Void) throws(CTAPError) {
    try vault.update { (state) in change(&state.settings) }
  }

  /// Changes the PIN policy (§6.11.4).
  private func setMinPINLength(_ request: MinPINLengthRequest) throws(CTAPError) {
    let forcesPINChange = try vault.update { (state) throws(CTAPError) in
      var settings = state.settings
      // 1. Without newMinPINLength, the current minimum stays.
      let length = request.newLength ?? UInt64(settings.minimumPINLength)
      // 2. The device supports the extensions that read these RP IDs.
      // 3. The minimum may only grow, up to the longest PIN.
      guard Int(clamping: length) >= settings.minimumPINLength, length <= DeviceLimits.maximumPINByteCount else {
        throw CTAPError(.pinPolicyViolation, "a minimum of \(length)")
      }
      settings.minimumPINLength = Int(length)
      // 4. forceChangePin requires a PIN.
      if request.forcesChange {
        guard state.pin != nil else { throw CTAPError(.pinNotSet) }
        settings.forcesPINChange = true
      }
      // 5. Enforce PIN complexity. The hash does not show whether the current PIN meets the policy, so it must change.
      if request.wantsComplexity, !settings.enforcesPINComplexity {
        settings.enforcesPINComplexity = true
        if state.pin != nil { settings.forcesPINChange = true }
      }
      // 6. A PIN below the new minimum length must change.
      if let pin = state.pin, pin.codePointCount < settings.minimumPINLength { settings.forcesPINChange = true }
      // 8. The new RP IDs replace the old ones.
      if let readers = request.readers, !readers.isEmpty {
        guard readers.count <= DeviceLimits.maximumMinimumPINLengthReaders else {
          throw CTAPError(.keyStoreFull, "\(readers.count) RP IDs")
        }
        settings.minimumPINLengthReaders = readers
      }
      state.settings = settings
      return settings.forcesPINChange
    }
    // 7. If the PIN must change, the current token ends.
    if forcesPINChange { session.token = nil }
    // 9. Success.
  }
}

/// The subcommands of authenticatorConfig. `vendorPrototype` (0xff) is not supported.
enum ConfigurationSubcommand: UInt64, CaseIterable {
  case enableEnterpriseAttestation = 0x01
  case toggleAlwaysUv = 0x02
  case setMinPINLength = 0x03
  case enableLongTouchForReset = 0x04
}

/// The parameters of setMinPINLength.
private struct MinPINLengthRequest {
  let newLength: UInt64?
  let readers: [String]?
  let forcesChange: Bool
  let wantsComplexity: Bool

  init(_ parameters: CommandParameters) throws(CTAPError) {
    newLength = try parameters.unsignedIfPresent(0x01)
    readers = try parameters.textsIfPresent(0x02)
    forcesChange = try parameters.boolIfPresent(0x03) ?? false
    wantsComplexity = try parameters.boolIfPresent(0x04) ?? false
  }
}
