// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeySystem

/// Serves devices over streams. Each connection has a device of its own, all with the same vault.
///
/// Devices run concurrently, each in its own thread.
package struct DeviceServer: Sendable {
  /// The user of the devices.
  package enum User: Sendable {
    /// The peer sends the user's gestures.
    case gestures
    /// Returns the interaction of a new device.
    case interaction(@Sendable () -> any UserInteraction)
  }

  /// An event that does not stop the server.
  package enum Event: Sendable {
    case listening
    /// A connection was refused: too many are open, or the system has no thread left.
    case refused
    /// A connection failed.
    case lost(TransportError)
  }

  private let vault: any Vault
  private let profile: AuthenticatorProfile
  private let user: User
  private let random: @Sendable () -> RandomSource
  private let clock: @Sendable () -> any AuthenticatorClock

  // 64 [each connection uses a thread, and a user's programs need only a few]
  /// The maximum number of concurrent connections to a socket.
  package static let maximumConnectionCount = 64

  /// Creates a server. It calls `random` and `clock` for each device.
  package init(
    vault: any Vault, profile: AuthenticatorProfile, user: User, random: @escaping @Sendable () -> RandomSource,
    clock: @escaping @Sendable () -> any AuthenticatorClock
  ) {
    self.vault = vault
    self.profile = profile
    self.user = user
    self.random = random
    self.clock = clock
  }

  /// Serves one connection until the peer disconnects. With `isHID`, each frame is a CTAPHID report.
  package func serve(_ transport: any Transport, isHID: Bool) throws(TransportError) {
    var gestures: GestureInteraction?
    let interaction: any UserInteraction
    switch user {
    case .gestures:
      let own = GestureInteraction()
      (gestures, interaction) = (own, own)
    case .interaction(let make): interaction = make()
    }
    let clock = clock()
    let device: SoftwareAuthenticator
    do throws(PasskeyCryptoError) {
      device = try SoftwareAuthenticator(
        vault: vault, profile: profile, interaction: interaction, random: random(), clock: clock)
    } catch {
      throw TransportError.noDevice(error)
    }
    if isHID {
      try HIDServer(to: device, over: transport, gestures: gestures, clock: clock).serve()
    } else {
      try FrameServer(to: device, over: transport, gestures: gestures).serve()
    }
  }

  /// Serves every connection to a socket, so that an idle connection does not delay others. Does not return.
  package func serve(
    _ listener: UnixListener, isHID: Bool, report: @escaping @Sendable (Event) -> Void
  ) throws(TransportError) {
    let connections = Locked(0)
    report(.listening)
    while true {
      guard let connection = try listener.accept() else { continue }
      let hasRoom = connections.withLock { (count) in
        guard count < Self.maximumConnectionCount else { return false }
        count += 1
        return true
      }
      let isServed =
        hasRoom
        && SystemThread.start {
          do throws(TransportError) {
            try serve(connection, isHID: isHID)
          } catch {
            report(.lost(error))
          }
          connections.withLock { (count) in count -= 1 }
        }
      guard !isServed else { continue }
      if hasRoom { connections.withLock { (count) in count -= 1 } }
      report(.refused)
    }
  }
}
