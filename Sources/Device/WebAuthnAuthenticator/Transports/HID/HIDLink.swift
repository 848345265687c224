// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
package import PasskeyFormats

/// The link layer of CTAPHID (CTAP 2.3 §11.2): channels, message reassembly, one transaction at a time, locks and
/// time-outs. A state machine without I/O: it takes reports and times and returns effects.
package struct HIDLink {
  /// An action for the caller to perform.
  package enum Effect: Equatable {
    /// Send these reports.
    case send([[UInt8]])
    /// Run a request and pass its response to ``HIDLink/finish(head:_:)``.
    case start(channel: UInt32, command: UInt8, Bytes)
    /// Cancel the running request.
    case cancel
  }

  // 500 ms  [§11.2.5.2 leaves the time-out between packets to the device; client libraries wait longer]
  static let packetTimeLimit = Duration.milliseconds(500)

  // 255  [a client opens one channel each time it starts; the oldest is closed when there are more]
  static let maximumChannelCount = 255

  private var channels: [UInt32] = []
  private var nextChannel: UInt32 = 1
  private var assembly: Assembly?
  private var running: Running?
  private var lock: Lock?

  /// A message that is being reassembled.
  private struct Assembly {
    let channel: UInt32
    let command: UInt8
    let byteCount: Int
    var payload: [UInt8]
    var nextSequence: UInt8 = 0
    var deadline: Duration
  }

  /// A running request.
  private struct Running {
    let channel: UInt32
    let command: UInt8
    /// Whether the response is discarded, because the client reset the channel with INIT.
    var isAbandoned = false
  }

  /// A lock that gives one channel exclusive use of the device (§11.2.9.2.2).
  private struct Lock {
    let channel: UInt32
    let end: Duration
  }

  /// Creates a link without channels.
  package init() {}

  /// The deadline for the next packet of the message being reassembled.
  package var deadline: Duration? { assembly?.deadline }
}

// MARK: Packets

extension HIDLink {
  /// Processes a report received at `time`.
  package mutating func receive(_ bytes: Bytes, at time: Duration) -> [Effect] {
    // Ignore a report of another length: it has no channel for a response.
    guard let report = HIDReport(bytes) else { return [] }
    let expired = expire(at: time)
    switch report.content {
    case .beginning(let command, let byteCount, let payload):
      return expired + begin(report.channel, command, byteCount, payload, time)
    case .continuation(let sequence, let payload):
      return expired + proceed(on: report.channel, sequence, payload, time)
    }
  }

  /// Applies time-outs: aborts a message whose next packet is overdue, and releases an expired lock.
  package mutating func expire(at time: Duration) -> [Effect] {
    if let held = lock, held.end <= time { lock = nil }
    guard let assembly, assembly.deadline <= time else { return [] }
    self.assembly = nil
    return [refuse(assembly.channel, .timeout)]
  }

  private mutating func begin(
    _ channel: UInt32, _ command: UInt8, _ byteCount: Int, _ payload: Bytes, _ time: Duration
  ) -> [Effect] {
    guard channel == HIDReport.broadcast || channels.contains(channel) else {
      return [refuse(channel, .invalidChannel)]
    }
    // INIT on an allocated channel aborts its transaction (§11.2.9.1.3). While one channel holds the lock, other
    // clients cannot open channels either (§11.2.9.2.2).
    let isLockedOut = lock.map { (lock) in lock.channel != channel } ?? false
    if command == FrameType.initialize {
      return isLockedOut ? [refuse(channel, .channelBusy)] : initialize(channel, byteCount, payload)
    }
    guard channel != HIDReport.broadcast else { return [refuse(channel, .invalidChannel)] }
    if command == FrameType.cancel { return cancel(channel) }
    if let assembly {
      guard assembly.channel == channel else { return [refuse(channel, .channelBusy)] }
      // An initialization packet instead of a continuation packet aborts the message.
      self.assembly = nil
      return [refuse(channel, .invalidSequence)]
    }
    guard !isLockedOut else { return [refuse(channel, .channelBusy)] }
    guard running == nil else { return [refuse(channel, .channelBusy)] }
    guard byteCount <= HIDReport.maximumMessageByteCount else { return [refuse(channel, .invalidLength)] }
    let beginning = Assembly(
      channel: channel, command: command, byteCount: byteCount, payload: [UInt8](payload.prefix(byteCount)),
      deadline: time + Self.packetTimeLimit)
    return take(beginning, time)
  }

  private mutating func proceed(
    on channel: UInt32, _ sequence: UInt8, _ payload: Bytes, _ time: Duration
  ) -> [Effect] {
    // Ignore a spurious continuation packet (§11.2.5.4).
    guard var assembly, assembly.channel == channel else { return [] }
    guard sequence == assembly.nextSequence else {
      self.assembly = nil
      return [refuse(channel, .invalidSequence)]
    }
    assembly.payload += payload.prefix(assembly.byteCount - assembly.payload.count)
    assembly.nextSequence += 1
    assembly.deadline = time + Self.packetTimeLimit
    return take(assembly, time)
  }

  /// Waits for more packets, or delivers a complete message.
  private mutating func take(_ assembly: Assembly, _ time: Duration) -> [Effect] {
    guard assembly.payload.count == assembly.byteCount else {
      self.assembly = assembly
      return []
    }
    self.assembly = nil
    return deliver(assembly.channel, assembly.command, assembly.payload[...], time)
  }
}

// MARK: Messages

extension HIDLink {
  private mutating func deliver(
    _ channel: UInt32, _ command: UInt8, _ payload: Bytes, _ time: Duration
  ) -> [Effect] {
    switch command {
    case FrameType.ping:
      return [send(channel, command, payload)]
    case FrameType.wink:
      return [payload.isEmpty ? send(channel, command, []) : refuse(channel, .invalidLength)]
    case FrameType.lock:
      return [setLock(channel, payload, time)]
    case FrameType.message, FrameType.cbor:
      guard !payload.isEmpty else { return [refuse(channel, .invalidLength)] }
      running = Running(channel: channel, command: command)
      return [.start(channel: channel, command: command, payload)]
    default:
      return [refuse(channel, .invalidCommand)]
    }
  }

  /// Returns the response of the running request, `head` and then `body`, as reports; none if the client has reset the
  /// channel.
  package mutating func finish(head: [UInt8] = [], _ body: some ByteSource) -> [Effect] {
    defer { running = nil }
    guard let running, !running.isAbandoned else { return [] }
    return [.send(HIDReport.reports(channel: running.channel, command: running.command, head: head, body))]
  }

  /// Returns a keep-alive for the running request, if it is a CBOR request.
  package func keepAlive(_ status: UInt8) -> [Effect] {
    guard let running, !running.isAbandoned, running.command == FrameType.cbor else { return [] }
    return [send(running.channel, FrameType.keepAlive, [status])]
  }

  /// Cancels only a transaction of the same channel. CANCEL itself has no response (§11.2.9.1.5).
  private func cancel(_ channel: UInt32) -> [Effect] {
    running?.channel == channel ? [.cancel] : []
  }

  private mutating func initialize(_ channel: UInt32, _ byteCount: Int, _ nonce: Bytes) -> [Effect] {
    guard byteCount == 8 else { return [refuse(channel, .invalidLength)] }
    var effects: [Effect] = []
    var opened = channel
    if channel == HIDReport.broadcast {
      opened = openChannel()
    } else {
      if assembly?.channel == channel { assembly = nil }
      if running?.channel == channel {
        running?.isAbandoned = true
        effects.append(.cancel)
      }
    }
    var writer = ByteWriter()
    writer.write(nonce.prefix(8))
    writer.write(opened)
    writer.write(DeviceAnnouncement.interfaceVersion)
    writer.write(DeviceAnnouncement.version)
    writer.write(DeviceAnnouncement.capabilities)
    return effects + [send(channel, FrameType.initialize, writer.bytes)]
  }

  /// Allocates a channel ID that is not in use, not zero and not the broadcast channel.
  private mutating func openChannel() -> UInt32 {
    repeat {
      nextChannel = nextChannel == HIDReport.broadcast - 1 ? 1 : nextChannel + 1
    } while channels.contains(nextChannel)
    if channels.count == Self.maximumChannelCount { channels.removeFirst() }
    channels.append(nextChannel)
    return nextChannel
  }

  /// Locks the device for up to ten seconds; zero releases the lock (§11.2.9.2.2).
  private mutating func setLock(_ channel: UInt32, _ payload: Bytes, _ time: Duration) -> Effect {
    guard payload.count == 1, let seconds = payload.first else { return refuse(channel, .invalidLength) }
    guard seconds <= 10 else { return refuse(channel, .invalidParameter) }
    lock = seconds == 0 ? nil : Lock(channel: channel, end: time + .seconds(Int(seconds)))
    return send(channel, FrameType.lock, [])
  }

  private func refuse(_ channel: UInt32, _ error: LinkError) -> Effect {
    send(channel, FrameType.error, [error.rawValue])
  }

  private func send(_ channel: UInt32, _ command: UInt8, _ payload: some ByteSource) -> Effect {
    .send(HIDReport.reports(channel: channel, command: command, payload))
  }
}
