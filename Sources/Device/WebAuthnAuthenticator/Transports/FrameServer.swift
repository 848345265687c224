// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats

/// Serves a security key over a stream of frames with whole messages: a type byte and a payload.
package struct FrameServer: Sendable {
  private let transport: any Transport
  private let gestures: GestureInteraction?
  private let runner: CommandRunner

  /// Creates a server for `device`. Gesture frames go to `gestures`, if the user is on the same transport.
  package init(to device: any SecurityKey, over transport: any Transport, gestures: GestureInteraction? = nil) {
    self.transport = transport
    self.gestures = gestures
    runner = CommandRunner(device) { gestures?.isWaiting ?? false }
  }

  /// Serves until the peer disconnects. Then cancels a request that waits for a user.
  ///
  /// - Throws: The transport's error, such as `transport.read-failed` or `transport.broken-frame`.
  package func serve() throws(TransportError) {
    defer { runner.close() }
    while true {
      switch try transport.receive(waitingAtMost: nil) {
      case .frame(let frame): try take(frame)
      case .nothing: continue
      case .end: return
      }
    }
  }

  private func take(_ frame: Bytes) throws(TransportError) {
    guard let type = frame.first else { return try refuse(.invalidLength) }
    let payload = frame.dropFirst()
    switch type {
    case FrameType.initialize:
      try transport.send([type], DeviceAnnouncement.version + [DeviceAnnouncement.capabilities])
    case FrameType.ping, FrameType.wink:
      try transport.send([type], payload)
    case FrameType.cbor:
      try start(type, .cbor(payload))
    case FrameType.message:
      try start(type, .apdu(payload))
    case FrameType.cancel:
      runner.cancel()
    case FrameType.gesture:
      GestureFrame(payload).map { gestures?.perform($0.gesture) }
    default:
      try refuse(.invalidCommand)
    }
  }

  private func start(_ type: UInt8, _ message: DeviceMessage) throws(TransportError) {
    // Ignore send errors: the next read reports the lost connection.
    let isStarted = runner.start(message) { (keepAlive) in
      try? transport.send([FrameType.keepAlive, keepAlive.rawValue])
    } finish: { (reply) in
      try? transport.send([type] + reply.head, reply.body)
    }
    if !isStarted { try refuse(.channelBusy) }
  }

  private func refuse(_ error: LinkError) throws(TransportError) {
    try transport.send([FrameType.error, error.rawValue])
  }
}

/// A gesture frame.
struct GestureFrame {
  let gesture: GestureInteraction.Gesture

  /// Returns nil for an invalid payload, which is ignored.
  init?(_ payload: Bytes) {
    switch (payload.first, payload.count) {
    case (0, 1): gesture = .refuse
    case (1, 1): gesture = .touch(finger: 0)
    case (1, 2): gesture = .touch(finger: payload[payload.startIndex + 1])
    default: return nil
    }
  }
}
