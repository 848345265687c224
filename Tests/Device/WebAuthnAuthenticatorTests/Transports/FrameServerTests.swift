// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Foundation
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// Frame and report transports, with the test as the peer over a socket pair.
struct FrameServerTests {
  @Test func `a ping is echoed, and the device describes itself`() async throws {
    let world = try World()
    try world.send([FrameType.ping, 1, 2, 3])
    #expect(try await world.receive() == [FrameType.ping, 1, 2, 3])
    try world.send([FrameType.initialize])
    #expect(try await world.receive() == [FrameType.initialize, 0, 1, 0, 0x05])
  }

  @Test func `a command's answer follows its status`() async throws {
    let world = try World()
    try world.send([FrameType.cbor, 0x04, 0xa0])
    #expect(try await world.receiveAnswer() == [FrameType.cbor, 0x00, 0xa0])
    try world.send([FrameType.cbor, 0x55])
    #expect(try await world.receiveAnswer() == [FrameType.cbor, 0x01])
    try world.send([FrameType.cbor])
    #expect(try await world.receiveAnswer() == [FrameType.cbor, 0x03])
    try world.send([FrameType.message, 0, 3])
    #expect(try await world.receiveAnswer() == [FrameType.message, 0x69, 0x85])
  }

  @Test func `a frame of an unknown type is refused`() async throws {
    let world = try World()
    try world.send([0x77])
    #expect(try await world.receive() == [FrameType.error, LinkError.invalidCommand.rawValue])
    try world.send([])
    #expect(try await world.receive() == [FrameType.error, LinkError.invalidLength.rawValue])
  }

  @Test func `a needed touch is announced and continues the command`() async throws {
    let world = try World()
    try world.send([FrameType.cbor, 0x0b])
    #expect(try await world.receive() == [FrameType.keepAlive, 2])
    try world.send([FrameType.gesture, 1])
    #expect(try await world.receiveAnswer() == [FrameType.cbor, 0x00])
    try world.send([FrameType.cbor, 0x0b])
    #expect(try await world.receive() == [FrameType.keepAlive, 2])
    try world.send([FrameType.gesture, 0])
    #expect(try await world.receiveAnswer() == [FrameType.cbor, 0x27])
  }

  @Test func `a second command is refused while the first runs`() async throws {
    let world = try World()
    try world.send([FrameType.cbor, 0x0b])
    try world.send([FrameType.cbor, 0x04])
    #expect(try await world.receiveAnswer() == [FrameType.error, LinkError.channelBusy.rawValue])
    try world.send([FrameType.cancel])
    #expect(try await world.receiveAnswer() == [FrameType.cbor, 0x2d])
  }

  @Test func `a cancellation right after its command is not lost`() async throws {
    let world = try World()
    for _ in 0..<20 {
      try world.send([FrameType.cbor, 0x0b])
      try world.send([FrameType.cancel])
      #expect(try await world.receiveAnswer() == [FrameType.cbor, 0x2d])
    }
  }

  @Test func `a client that closes its side after a request still gets the answer`() async throws {
    for _ in 0..<20 {
      let world = try World()
      try world.send([FrameType.cbor, 0x04, 0xa0])
      #expect(try await world.end() == nil)
      #expect(try await world.receiveAnswer() == [FrameType.cbor, 0x00, 0xa0])
    }
  }

  @Test func `a wait for the user ends when the peer leaves`() async throws {
    let world = try World()
    try world.send([FrameType.cbor, 0x0b])
    #expect(try await world.end() == nil)
    #expect(try await world.receiveAnswer() == [FrameType.cbor, 0x2d])
  }

  @Test func `a stream that ends within a frame is an error`() async throws {
    let world = try World()
    world.sendRaw([0, 0, 0, 9, 1])
    #expect(try await world.end() == .brokenFrame)
  }

  @Test func `an invalid length ends the connection`() async throws {
    let world = try World()
    world.sendRaw([0xff, 0, 0, 0])
    #expect(try await world.end() == .frameTooLong)
  }

  @Test func `CTAPHID reports use the other protocol handler`() async throws {
    let world = try World(isHID: true)
    try world.send(
      [FrameType.report] + HIDReport.reports(channel: 0xffff_ffff, command: 6, [1, 2, 3, 4, 5, 6, 7, 8])[0])
    let answer = try await world.receive()
    #expect(answer.prefix(8) == [FrameType.report, 0xff, 0xff, 0xff, 0xff, 0x86, 0, 17])
    try world.send([FrameType.report] + HIDReport.reports(channel: 2, command: FrameType.cbor, [0x04])[0])
    #expect(try await world.receiveReport().prefix(9) == [FrameType.report, 0, 0, 0, 2, 0x90, 0, 1, 0])
  }

  @Test func `an incomplete message times out without another packet`() async throws {
    let world = try World(isHID: true)
    try world.send(
      [FrameType.report] + HIDReport.reports(channel: 0xffff_ffff, command: 6, [1, 2, 3, 4, 5, 6, 7, 8])[0])
    _ = try await world.receive()
    let packets = HIDReport.reports(channel: 2, command: FrameType.ping, [UInt8](repeating: 1, count: 100)[...])
    try world.send([FrameType.report] + packets[0])
    #expect(
      try await world.receive().prefix(9) == [FrameType.report, 0, 0, 0, 2, 0xbf, 0, 1, LinkError.timeout.rawValue])
  }
}

/// A device behind a transport in its own thread, and the peer's end of the connection.
private final class World: Sendable {
  private let ours: Int32
  private let theirs: Int32
  private let transport: StreamTransport
  private let outcome = Locked<TransportError.Code?>(nil)
  private let served = DispatchSemaphore(value: 0)

  init(isHID: Bool = false) throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    (ours, theirs) = (ends[0], ends[1])
    transport = StreamTransport(input: ours, output: ours)
    let gestures = GestureInteraction(timeLimit: .seconds(600))
    let device = StubKey(interaction: gestures)
    let cable = StreamTransport(input: theirs, output: theirs)
    let thread = Thread { [outcome, served] in
      do throws(TransportError) {
        if isHID {
          try HIDServer(to: device, over: cable, gestures: gestures, clock: TestClock()).serve()
        } else {
          try FrameServer(to: device, over: cable, gestures: gestures).serve()
        }
      } catch {
        outcome.withLock { (outcome) in outcome = error.code }
      }
      served.signal()
    }
    thread.start()
  }

  /// Waits in another thread: the device may need this one to finish.
  deinit {
    shutdown(ours, Int32(SHUT_RDWR))
    onOwnThread { [ours, theirs, served] in
      served.wait()
      close(ours)
      close(theirs)
    }
  }

  func send(_ frame: [UInt8]) throws { try transport.send(frame[...]) }

  func sendRaw(_ bytes: [UInt8]) { _ = unsafe write(ours, bytes, bytes.count) }

  /// Returns the next frame. The wait does not block a thread of the pool that runs the device.
  func receive() async throws -> [UInt8] {
    try await waiting { [transport] in
      guard case .frame(let frame) = try transport.receive(waitingAtMost: .seconds(HangGuard.seconds)) else {
        throw TransportError(.readFailed, "no frame came")
      }
      return [UInt8](frame)
    }
  }

  /// Returns the next frame that is not a keep-alive.
  func receiveAnswer() async throws -> [UInt8] {
    while true {
      let frame = try await receive()
      if frame.first != FrameType.keepAlive { return frame }
    }
  }

  /// Returns the next report that is not a keep-alive.
  func receiveReport() async throws -> [UInt8] {
    while true {
      let frame = try await receive()
      if frame.dropFirst(5).first != 0x80 | FrameType.keepAlive { return frame }
    }
  }

  /// Closes the connection and returns the reason for which the transport ended.
  func end() async throws -> TransportError.Code? {
    shutdown(ours, Int32(SHUT_WR))
    return try await waiting { [served, outcome] in
      served.wait()
      served.signal()
      return outcome.withLock { (outcome) in outcome }
    }
  }
}

/// A device with two commands: getInfo without the user, selection after a touch.
struct StubKey: SecurityKey {
  let interaction: GestureInteraction

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    try await perform(command, parameters[...], on: .only)
  }

  func perform(
    _ command: CTAPCommand, _ parameters: Bytes, on channel: DeviceChannel
  ) async throws(CTAPError) -> [UInt8] {
    switch command {
    case .getInfo: return [UInt8](parameters)
    case .selection:
      switch await interaction.confirmPresence(for: InteractionPurpose(.selectDevice)) {
      case .confirmed: return []
      case .refused: throw CTAPError(.operationDenied)
      case .timedOut: throw CTAPError(.userActionTimeout)
      case .cancelled: throw CTAPError(.keepaliveCancel)
      }
    default: throw CTAPError(.invalidCommand)
    }
  }

  func cancel() async { await interaction.cancel() }

  func respond(toAPDU command: Bytes, on channel: DeviceChannel) async -> [UInt8] { [0x69, 0x85] }
}

/// A clock that follows the system's clock.
struct TestClock: AuthenticatorClock {
  private let start = ContinuousClock.now

  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { ContinuousClock.now - start }
}
