// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnAuthenticator

struct HIDLinkTests {
  private var link = HIDLink()

  private mutating func open() throws -> UInt32 {
    let effects = link.receive(report(HIDReport.broadcast, FrameType.initialize, [1, 2, 3, 4, 5, 6, 7, 8]), at: .zero)
    let answer = try #require(message(in: effects))
    #expect(answer.command == FrameType.initialize)
    #expect(answer.payload.prefix(8) == [1, 2, 3, 4, 5, 6, 7, 8])
    return answer.payload.dropFirst(8).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  // MARK: Channels

  @Test mutating func `a channel is opened on the broadcast channel, with the device's capabilities`() throws {
    let effects = link.receive(report(HIDReport.broadcast, FrameType.initialize, [9, 9, 9, 9, 9, 9, 9, 9]), at: .zero)
    #expect(
      try #require(message(in: effects)).payload
        == [9, 9, 9, 9, 9, 9, 9, 9] + [0, 0, 0, 2] + [2] + [0, 1, 0] + [0x05])
  }

  @Test mutating func `each channel has its own number`() throws {
    var channels: Set<UInt32> = []
    for _ in 0..<300 { channels.insert(try open()) }
    #expect(channels.count == 300)
    #expect(!channels.contains(0))
    #expect(!channels.contains(HIDReport.broadcast))
  }

  @Test mutating func `the oldest channel is closed when there are too many`() throws {
    let first = try open()
    for _ in 0..<HIDLink.maximumChannelCount { _ = try open() }
    #expect(error(link.receive(report(first, FrameType.ping, [1]), at: .zero)) == .invalidChannel)
  }

  @Test mutating func `an unknown channel is refused`() {
    #expect(error(link.receive(report(7, FrameType.ping, [1]), at: .zero)) == .invalidChannel)
    #expect(
      error(link.receive(report(0, FrameType.initialize, [1, 2, 3, 4, 5, 6, 7, 8]), at: .zero)) == .invalidChannel)
  }

  @Test mutating func `the broadcast channel accepts INIT only`() {
    #expect(error(link.receive(report(HIDReport.broadcast, FrameType.ping, [1]), at: .zero)) == .invalidChannel)
  }

  @Test mutating func `INIT requires a nonce of eight bytes`() {
    #expect(
      error(link.receive(report(HIDReport.broadcast, FrameType.initialize, [1, 2, 3]), at: .zero)) == .invalidLength)
  }

  // MARK: Messages

  @Test(arguments: [1, 57, 58, 116, 117, 1024, 7609])
  mutating func `a message of any length survives its packets`(count: Int) throws {
    let channel = try open()
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    var effects: [HIDLink.Effect] = []
    for packet in HIDReport.reports(channel: channel, command: FrameType.ping, payload[...]) {
      #expect(effects.isEmpty)
      effects = link.receive(packet[...], at: .zero)
    }
    #expect(try #require(message(in: effects)).payload == payload)
  }

  @Test mutating func `a message that is too long is refused`() throws {
    let channel = try open()
    var packet = HIDReport.reports(channel: channel, command: FrameType.ping, [1])[0]
    packet.replaceSubrange(5..<7, with: [0x1d, 0xba])
    #expect(error(link.receive(packet[...], at: .zero)) == .invalidLength)
  }

  @Test mutating func `a packet out of sequence aborts the message`() throws {
    let channel = try open()
    let packets = HIDReport.reports(channel: channel, command: FrameType.ping, [UInt8](repeating: 1, count: 200)[...])
    #expect(link.receive(packets[0][...], at: .zero).isEmpty)
    #expect(error(link.receive(packets[2][...], at: .zero)) == .invalidSequence)
    #expect(link.receive(packets[1][...], at: .zero).isEmpty)
    #expect(message(in: link.receive(report(channel, FrameType.ping, [5]), at: .zero))?.payload == [5])
  }

  @Test mutating func `a second initial packet aborts the message`() throws {
    let channel = try open()
    let packets = HIDReport.reports(channel: channel, command: FrameType.ping, [UInt8](repeating: 1, count: 200)[...])
    #expect(link.receive(packets[0][...], at: .zero).isEmpty)
    #expect(error(link.receive(packets[0][...], at: .zero)) == .invalidSequence)
  }

  @Test mutating func `an unexpected continuation packet is ignored`() throws {
    let channel = try open()
    let packets = HIDReport.reports(channel: channel, command: FrameType.ping, [UInt8](repeating: 1, count: 200)[...])
    #expect(link.receive(packets[1][...], at: .zero).isEmpty)
  }

  @Test mutating func `an incomplete message times out`() throws {
    let channel = try open()
    let packets = HIDReport.reports(channel: channel, command: FrameType.ping, [UInt8](repeating: 1, count: 200)[...])
    #expect(link.receive(packets[0][...], at: .seconds(1)).isEmpty)
    #expect(link.deadline == .milliseconds(1500))
    #expect(link.expire(at: .milliseconds(1499)).isEmpty)
    #expect(error(link.expire(at: .milliseconds(1500))) == .timeout)
    #expect(link.deadline == nil)
  }

  @Test mutating func `other channels are busy while a message arrives`() throws {
    let first = try open()
    let second = try open()
    let packets = HIDReport.reports(channel: first, command: FrameType.ping, [UInt8](repeating: 1, count: 100)[...])
    #expect(link.receive(packets[0][...], at: .zero).isEmpty)
    #expect(error(link.receive(report(second, FrameType.ping, [1]), at: .zero)) == .channelBusy)
    #expect(message(in: link.receive(packets[1][...], at: .zero))?.payload.count == 100)
  }

  @Test mutating func `an unknown command is refused`() throws {
    let channel = try open()
    #expect(error(link.receive(report(channel, 0x22, [1]), at: .zero)) == .invalidCommand)
  }

  @Test mutating func `a report of another length is ignored`() {
    for count in [0, 1, 63, 65] {
      #expect(link.receive([UInt8](repeating: 0xff, count: count)[...], at: .zero).isEmpty)
    }
  }

  // MARK: Commands that take their time

  @Test mutating func `the answer goes to the requesting channel`() throws {
    let channel = try open()
    #expect(
      link.receive(report(channel, FrameType.cbor, [4]), at: .zero)
        == [.start(channel: channel, command: FrameType.cbor, [4])])
    #expect(message(in: link.keepAlive(2))?.payload == [2])
    let effects = link.finish([0, 0xa0])
    #expect(effects == [.send(HIDReport.reports(channel: channel, command: FrameType.cbor, [0, 0xa0]))])
    #expect(link.keepAlive(1).isEmpty)
  }

  @Test mutating func `only one command runs at a time`() throws {
    let first = try open()
    let second = try open()
    _ = link.receive(report(first, FrameType.cbor, [4]), at: .zero)
    #expect(error(link.receive(report(second, FrameType.cbor, [4]), at: .zero)) == .channelBusy)
    #expect(error(link.receive(report(first, FrameType.cbor, [4]), at: .zero)) == .channelBusy)
    _ = link.finish([0])
    #expect(
      link.receive(report(second, FrameType.cbor, [4]), at: .zero)
        == [.start(channel: second, command: FrameType.cbor, [4])])
  }

  @Test mutating func `CANCEL applies to its own channel, and has no answer`() throws {
    let first = try open()
    let second = try open()
    #expect(link.receive(report(first, FrameType.cancel, []), at: .zero).isEmpty)
    _ = link.receive(report(first, FrameType.cbor, [1]), at: .zero)
    #expect(link.receive(report(second, FrameType.cancel, []), at: .zero).isEmpty)
    #expect(link.receive(report(first, FrameType.cancel, []), at: .zero) == [.cancel])
  }

  @Test mutating func `INIT on a busy channel cancels its command, and drops its answer`() throws {
    let channel = try open()
    _ = link.receive(report(channel, FrameType.cbor, [1]), at: .zero)
    let effects = link.receive(report(channel, FrameType.initialize, [1, 2, 3, 4, 5, 6, 7, 8]), at: .zero)
    #expect(effects.first == .cancel)
    #expect(effects.count == 2)
    #expect(link.keepAlive(1).isEmpty)
    #expect(link.finish([0x2d]).isEmpty)
    #expect(message(in: link.receive(report(channel, FrameType.ping, [5]), at: .zero))?.payload == [5])
  }

  @Test mutating func `INIT within a message drops the message`() throws {
    let channel = try open()
    let packets = HIDReport.reports(channel: channel, command: FrameType.ping, [UInt8](repeating: 1, count: 100)[...])
    _ = link.receive(packets[0][...], at: .zero)
    _ = link.receive(report(channel, FrameType.initialize, [1, 2, 3, 4, 5, 6, 7, 8]), at: .zero)
    #expect(link.deadline == nil)
    #expect(link.receive(packets[1][...], at: .zero).isEmpty)
  }

  @Test mutating func `a locked device is busy for other channels until the lock expires`() throws {
    let first = try open()
    let second = try open()
    #expect(message(in: link.receive(report(first, FrameType.lock, [3]), at: .zero))?.command == FrameType.lock)
    #expect(error(link.receive(report(second, FrameType.ping, [1]), at: .seconds(2))) == .channelBusy)
    #expect(message(in: link.receive(report(first, FrameType.ping, [1]), at: .seconds(2)))?.payload == [1])
    #expect(message(in: link.receive(report(second, FrameType.ping, [1]), at: .seconds(3)))?.payload == [1])
  }

  @Test mutating func `while a channel holds the lock, INIT on others is refused`() throws {
    let first = try open()
    let second = try open()
    let nonce: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    _ = link.receive(report(first, FrameType.lock, [3]), at: .zero)
    for channel in [second, HIDReport.broadcast] {
      let answer = link.receive(report(channel, FrameType.initialize, nonce), at: .seconds(2))
      #expect(error(answer) == .channelBusy)
    }
    #expect(message(in: link.receive(report(first, FrameType.initialize, nonce), at: .seconds(2)))?.command == 6)
    #expect(
      message(in: link.receive(report(HIDReport.broadcast, FrameType.initialize, nonce), at: .seconds(3)))?.command == 6
    )
  }

  @Test mutating func `a lock ends on request, and after ten seconds at most`() throws {
    let first = try open()
    let second = try open()
    #expect(error(link.receive(report(first, FrameType.lock, [11]), at: .zero)) == .invalidParameter)
    _ = link.receive(report(first, FrameType.lock, [10]), at: .zero)
    _ = link.receive(report(first, FrameType.lock, [0]), at: .zero)
    #expect(message(in: link.receive(report(second, FrameType.ping, [1]), at: .zero))?.payload == [1])
  }

  @Test mutating func `WINK is answered`() throws {
    let channel = try open()
    #expect(message(in: link.receive(report(channel, FrameType.wink, []), at: .zero))?.command == FrameType.wink)
    #expect(error(link.receive(report(channel, FrameType.wink, [1]), at: .zero)) == .invalidLength)
  }

  @Test func `any reports at any time cause no trap, and every answer is whole reports`() throws {
    try PropertyRuns.check(default: 500) { (generator) in
      var link = HIDLink()
      var time = Duration.zero
      for _ in 0..<40 {
        var bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes.replaceSubrange(0..<4, with: Bool.random(using: &generator) ? [255, 255, 255, 255] : [0, 0, 0, 2])
        if Bool.random(using: &generator) {
          bytes[4] = 0x80 | [1, 3, 4, 6, 8, 0x10, 0x11].randomElement(using: &generator)!
        }
        if Bool.random(using: &generator) { bytes.replaceSubrange(5..<7, with: [0, 8]) }
        time += .milliseconds(Int.random(in: 0...300, using: &generator))
        for case .send(let reports) in link.receive(bytes[...], at: time) + link.finish([0]) {
          guard reports.allSatisfy({ $0.count == 64 }) else { throw Failure() }
        }
      }
    }
  }

  private struct Failure: Error {}
}

private func report(_ channel: UInt32, _ command: UInt8, _ payload: [UInt8]) -> Bytes {
  HIDReport.reports(channel: channel, command: command, payload[...])[0][...]
}

/// Returns the sent message, if sending it is the only effect.
private func message(in effects: [HIDLink.Effect]) -> (command: UInt8, payload: [UInt8])? {
  guard case .send(let reports)? = effects.first, effects.count == 1 else { return nil }
  var payload: [UInt8] = []
  var length = 0
  var command: UInt8 = 0
  for report in reports {
    switch HIDReport(report[...])?.content {
    case .beginning(let named, let byteCount, let bytes):
      (command, length) = (named, byteCount)
      payload += bytes
    case .continuation(_, let bytes): payload += bytes
    case nil: return nil
    }
  }
  return (command, [UInt8](payload.prefix(length)))
}

private func error(_ effects: [HIDLink.Effect]) -> LinkError? {
  guard let answer = message(in: effects), answer.command == FrameType.error else { return nil }
  return answer.payload.first.flatMap { LinkError(rawValue: $0) }
}
