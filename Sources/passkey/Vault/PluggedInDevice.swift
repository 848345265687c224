// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAuthenticator

/// A device that is plugged in anew for each transport, with the same vault.
struct PluggedInDevice {
  private let vault: any Vault
  private let options: DeviceOptions
  private let arguments: ParsedArguments

  init(vault: any Vault, _ options: DeviceOptions, _ arguments: ParsedArguments) {
    self.vault = vault
    self.options = options
    self.arguments = arguments
  }

  /// The source that --seed asks for, or the system's.
  static func random(_ arguments: ParsedArguments) -> RandomSource {
    arguments["--seed"].map { (seed) in .seeded([UInt8](seed.utf8)[...], label: "passkey authenticator") } ?? .system
  }

  /// Plugs a device in, serves until the other side leaves, and pulls it out.
  func serve(_ transport: StreamTransport, isHID: Bool) throws(TransportError) {
    let gestures = arguments["--approve"] == "gesture" ? GestureInteraction() : nil
    let clock = SystemClock()
    let device = try device(gestures, clock)
    if isHID {
      try HIDDoor(to: device, over: transport, gestures: gestures, clock: clock).serve()
    } else {
      try FrameDoor(to: device, over: transport, gestures: gestures).serve()
    }
  }

  private func device(
    _ gestures: GestureInteraction?, _ clock: SystemClock
  ) throws(TransportError) -> SoftwareAuthenticator {
    do throws(CryptoError) {
      return try SoftwareAuthenticator(
        vault: vault, profile: options.profile, interaction: gestures ?? interaction,
        random: Self.random(arguments), clock: clock)
    } catch {
      throw TransportError.noDevice(error)
    }
  }

  private var interaction: any UserInteraction {
    switch arguments["--approve"] {
    case "never": return AutomaticInteraction.never
    case "ask":
      if let terminal = TerminalInteraction() { return terminal }
      Diagnostics.passkey.note("there is no terminal to ask at: everything is refused")
      return AutomaticInteraction.never
    default: return AutomaticInteraction.always()
    }
  }
}
