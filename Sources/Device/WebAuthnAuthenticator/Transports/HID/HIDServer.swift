// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// Serves a security key over CTAPHID reports, as on USB: each frame is a type byte and one report.
package struct HIDServer: Sendable {
  private let transport: any Transport
  private let gestures: GestureInteraction?
  private let clock: any AuthenticatorClock
  private let runner: CommandRunner
  private let link = Locked(HIDLink())
  private let sending = Locked(0)

  /// Creates a server for `device`. Gesture frames go to `gestures`, if the user is on the same transport.
  package init(
    to device: any SecurityKey, over transport: any Transport, gestures: GestureInteraction? = nil,
    clock: any AuthenticatorClock
  ) {
    self.transport = transport
    self.gestures = gestures
    self.clock = clock
    runner = CommandRunner(device) { gestures?.isWaiting ?? false }
  }

  /// Serves until the peer disconnects. Then cancels a request that waits for a user.
  ///
  /// - Throws: `transport.broken-frame` for a frame of another type, or the transport's error, such as
  ///   `transport.read-failed`.
  package func serve() throws(TransportError) {
    defer { runner.close() }
    while true {
      let deadline = link.withLock { (link) in link.deadline }
      switch try transport.receive(waitingAtMost: deadline.map { max(.zero, $0 - clock.uptime) }) {
      case .frame(let frame): try take(frame)
      case .nothing: try apply { (link, time) in link.expire(at: time) }
      case .end: return
      }
    }
  }

  private func take(_ frame: Bytes) throws(TransportError) {
    switch frame.first {
    case FrameType.report: try apply { (link, time) in link.receive(frame.dropFirst(), at: time) }
    case FrameType.gesture: GestureFrame(frame.dropFirst()).map { gestures?.perform($0.gesture) }
    default: throw TransportError(.brokenFrame, "a frame that is neither a report nor a gesture")
    }
  }

  private func apply(_ step: (inout HIDLink, Duration) -> [HIDLink.Effect]) throws(TransportError) {
    let time = clock.uptime
    for effect in link.withLock({ (link) in step(&link, time) }) {
      switch effect {
      case .send(let reports): try send(reports)
      case .cancel: runner.cancel()
      case .start(let channel, let command, let payload): start(DeviceChannel(number: channel), command, payload)
      }
    }
  }

  /// The link starts no request while another one is running.
  private func start(_ channel: DeviceChannel, _ command: UInt8, _ payload: Bytes) {
    let message: DeviceMessage = command == FrameType.cbor ? .cbor(payload) : .apdu(payload)
    _ = runner.start(message, on: channel) { (keepAlive) in
      respond { (link) in link.keepAlive(keepAlive.rawValue) }
    } finish: { (reply) in
      respond { (link) in link.finish(head: reply.head, reply.body) }
    }
  }

  /// Ignores send errors: the next read reports the lost connection.
  private func respond(_ step: (inout HIDLink) -> [HIDLink.Effect]) {
    for case .send(let reports) in link.withLock(step) { try? send(reports) }
  }

  /// Sends the reports of one message without interleaving those of another.
  private func send(_ reports: [[UInt8]]) throws(TransportError) {
    try sending.withLock { (_) throws(TransportError) in
      for report in reports { try transport.send([FrameType.report], report) }
    }
  }
}
