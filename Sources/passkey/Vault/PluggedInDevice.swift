// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAuthenticator

/// A device configuration that creates a new device for each transport, all with the same vault.
///
/// Devices may run concurrently, each in its own thread. They share the terminal, which asks one question at a time.
struct PluggedInDevice: Sendable {
  private let vault: any Vault
  private let profile: AuthenticatorProfile
  private let approval: Approval
  private let seed: String?

  /// The simulated behavior of the device's user.
  private enum Approval: Sendable {
    case always, never, gesture
    case terminal(SharedTerminal)
  }

  init(vault: any Vault, _ options: DeviceOptions, _ arguments: ParsedArguments) {
    self.vault = vault
    profile = options.profile
    seed = arguments["--seed"]
    switch arguments["--approve"] {
    case "gesture": approval = .gesture
    case "never": approval = .never
    case "ask":
      if let terminal = SharedTerminal() {
        approval = .terminal(terminal)
      } else {
        Diagnostics.passkey.note("there is no terminal to ask at: all requests are refused")
        approval = .never
      }
    default: approval = .always
    }
  }

  /// Returns the deterministic source of `--seed`, or the system's.
  static func random(seed: String?) -> RandomSource {
    seed.map { (seed) in .seeded([UInt8](seed.utf8)[...], label: "passkey authenticator") } ?? .system
  }

  /// Creates a device and serves the transport until the peer disconnects.
  func serve(_ transport: StreamTransport, isHID: Bool) throws(TransportError) {
    let gestures: GestureInteraction? = if case .gesture = approval { GestureInteraction() } else { nil }
    let clock = SystemClock()
    let device = try device(gestures, clock)
    if isHID {
      try HIDServer(to: device, over: transport, gestures: gestures, clock: clock).serve()
    } else {
      try FrameServer(to: device, over: transport, gestures: gestures).serve()
    }
  }

  private func device(
    _ gestures: GestureInteraction?, _ clock: SystemClock
  ) throws(TransportError) -> SoftwareAuthenticator {
    do throws(CryptoError) {
      return try SoftwareAuthenticator(
        vault: vault, profile: profile, interaction: gestures ?? interaction,
        random: Self.random(seed: seed), clock: clock)
    } catch {
      throw TransportError.noDevice(error)
    }
  }

  private var interaction: any UserInteraction {
    switch approval {
    case .always, .gesture: AutomaticInteraction.always()
    case .never: AutomaticInteraction.never
    case .terminal(let terminal): TerminalInteraction(at: terminal)
    }
  }
}
