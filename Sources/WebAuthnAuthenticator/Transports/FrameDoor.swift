// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A door through which whole messages come: each frame is a type byte and what belongs to it.
public struct FrameDoor: Sendable {
  private let transport: any Transport
  private let gestures: GestureInteraction?
  private let runner: CommandRunner

  /// A door to `device`. Gesture frames go to `gestures`, where the user is behind the same transport.
  public init(to device: any SecurityKey, over transport: any Transport, gestures: GestureInteraction? = nil) {
    self.transport = transport
    self.gestures = gestures
    runner = CommandRunner(device) { gestures?.isWaiting ?? false }
  }

  /// Serves until the other side leaves. What waits for a user then is given up.
  public func serve() throws(TransportError) {
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
      try send(type, (DeviceAnnouncement.version + [DeviceAnnouncement.capabilities])[...])
    case FrameType.ping, FrameType.wink:
      try send(type, payload)
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
    // Nobody is left to tell when an answer cannot be sent: the next read finds that out.
    let isStarted = runner.start(message) { (sign) in
      try? send(FrameType.keepAlive, [sign.rawValue])
    } finish: { (answer) in
      try? send(type, answer)
    }
    if !isStarted { try refuse(.channelBusy) }
  }

  private func refuse(_ error: LinkError) throws(TransportError) {
    try send(FrameType.error, [error.rawValue])
  }

  private func send(_ type: UInt8, _ payload: Bytes) throws(TransportError) {
    try transport.send([type] + payload)
  }
}

/// A gesture as it travels.
struct GestureFrame {
  let gesture: GestureInteraction.Gesture

  /// A payload that is none is passed over.
  init?(_ payload: Bytes) {
    switch (payload.first, payload.count) {
    case (0, 1): gesture = .refuse
    case (1, 1): gesture = .touch(finger: 0)
    case (1, 2): gesture = .touch(finger: payload[payload.startIndex + 1])
    default: return nil
    }
  }
}
