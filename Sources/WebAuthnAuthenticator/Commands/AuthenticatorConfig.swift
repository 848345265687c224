// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes
internal import WireFormats

// authenticatorConfig (CTAP 2.3 §6.11).
extension SoftwareAuthenticator {
  /// The subcommands that there are: what authenticatorGetInfo lists.
  var configurationSubcommands: [ConfigurationSubcommand] {
    ConfigurationSubcommand.allCases.filter { (subcommand) in
      subcommand != .enableEnterpriseAttestation || profile.attestation.enterpriseMaker != nil
    }
  }

  /// Does what the subcommand says.
  func authenticatorConfig(_ encoded: Bytes) throws(CTAPError) -> Bytes {
    // 1. It is said what.
    let request = try SubcommandRequest(.authenticatorConfig, CommandParameters(parsing: encoded), keys: .usual)
    // 2. It is something that there is.
    guard let subcommand = ConfigurationSubcommand(rawValue: request.number),
      configurationSubcommands.contains(subcommand)
    else { throw CTAPError(.invalidSubcommand, "authenticatorConfig \(request.number)") }
    // 3, 4. Who asks may, where users are verified, or would have to be.
    let state = try vault.read()
    let isWayOut = subcommand == .toggleAlwaysUv && !isProtected(state)
    if isProtected(state) || state.settings.alwaysRequiresUserVerification && !isWayOut {
      try authorize(
        request.pinUvAuthParam, protocol: request.protocolNumber,
        over: [UInt8](repeating: 0xff, count: 32) + [CTAPCommand.authenticatorConfig.rawValue, request.byte]
          + request.encodedParameters,
        permission: .authenticatorConfiguration, relyingPartyID: nil)
    }
    // 5. It is done.
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

  /// §6.11.4.
  private func setMinPINLength(_ request: MinPINLengthRequest) throws(CTAPError) {
    let forcesPINChange = try vault.update { (state) throws(CTAPError) in
      var settings = state.settings
      // 1. Without a new length, the old one stays.
      let length = request.newLength ?? UInt64(settings.minimumPINLength)
      // 2. The extensions that the RP IDs are for are there.
      // 3. It can only grow, to what a PIN can have.
      guard Int(clamping: length) >= settings.minimumPINLength, length <= DeviceLimits.maximumPINByteCount else {
        throw CTAPError(.pinPolicyViolation, "a minimum of \(length)")
      }
      settings.minimumPINLength = Int(length)
      // 4. A PIN that is to be changed is there.
      if request.forcesChange {
        guard state.pin != nil else { throw CTAPError(.pinNotSet) }
        settings.forcesPINChange = true
      }
      // 5. From now on PINs must not be too simple. Whether the one that there is meets that, its hash does not tell.
      if request.wantsComplexity, !settings.enforcesPINComplexity {
        settings.enforcesPINComplexity = true
        if state.pin != nil { settings.forcesPINChange = true }
      }
      // 6. A PIN that has become too short has to be changed.
      if let pin = state.pin, pin.codePointCount < settings.minimumPINLength { settings.forcesPINChange = true }
      // 8. RP IDs take the place of those that there were.
      if let readers = request.readers, !readers.isEmpty {
        guard readers.count <= DeviceLimits.maximumMinimumPINLengthReaders else {
          throw CTAPError(.keyStoreFull, "\(readers.count) RP IDs")
        }
        settings.minimumPINLengthReaders = readers
      }
      state.settings = settings
      return settings.forcesPINChange
    }
    // 7. Where the PIN has to be changed, every token ends.
    if forcesPINChange { session.token = nil }
    // 9. Done.
  }
}

/// What authenticatorConfig can be asked to do. There is nothing of a vendor's own behind `vendorPrototype` (0xff).
enum ConfigurationSubcommand: UInt64, CaseIterable {
  case enableEnterpriseAttestation = 0x01
  case toggleAlwaysUv = 0x02
  case setMinPINLength = 0x03
  case enableLongTouchForReset = 0x04
}

/// What setMinPINLength takes.
private struct MinPINLengthRequest {
  let newLength: UInt64?
  let readers: [String]?
  let forcesChange: Bool
  let wantsComplexity: Bool

  init(_ parameters: CommandParameters) throws(CTAPError) {
    newLength = try parameters.optionalUnsigned(0x01)
    readers = try parameters.optionalTexts(0x02)
    forcesChange = try parameters.optionalBool(0x03) ?? false
    wantsComplexity = try parameters.optionalBool(0x04) ?? false
  }
}
