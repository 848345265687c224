// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Glibc
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import WebAuthnAuthenticator

/// The kernel's side is a socket that keeps the boundaries of events, as /dev/uhid does.
struct VirtualUSBKeyTests {
  @Test func `plugging in describes a FIDO key on USB`() throws {
    let kernel = try Kernel()
    let event = try kernel.next()
    #expect(event.prefix(4) == [11, 0, 0, 0])
    let name = Array(VirtualUSBKey.name.utf8)
    #expect(Array(event[4..<4 + name.count]) == name)
    #expect(event[4 + name.count..<260].allSatisfy { $0 == 0 })
    // 34 bytes of descriptor; bus 3 is USB
    #expect(Array(event[260..<264]) == [34, 0, 3, 0])
    #expect(Array(event[264..<272]) == [0x09, 0x12, 0, 0, 0x01, 0, 0, 0])
    #expect(Array(event[280...]) == VirtualUSBKey.reportDescriptor)
    #expect(VirtualUSBKey.reportDescriptor.count == 34)
  }

  @Test func `reports travel both ways without their number`() throws {
    let kernel = try Kernel()
    _ = try kernel.next()
    let report = [UInt8](0..<64)
    kernel.send([6, 0, 0, 0] + [0] + report + [UInt8](repeating: 0, count: 4096 - 65) + [65, 0, 1])
    #expect(try kernel.key.receive(waitingAtMost: nil) == .frame(([FrameType.report] + report)[...]))
    try kernel.key.send([FrameType.report], report[...])
    #expect(try kernel.next() == [12, 0, 0, 0, 64, 0] + report)
  }

  @Test func `programs that open and close the key change nothing`() throws {
    let kernel = try Kernel()
    // started, opened, closed, stopped, and a type of the future
    for type: UInt8 in [2, 4, 5, 3, 200] { kernel.send([type, 0, 0, 0] + [UInt8](repeating: 0, count: 4376)) }
    #expect(try kernel.key.receive(waitingAtMost: .zero) == .nothing)
  }

  @Test func `feature reports are answered with an error`() throws {
    let kernel = try Kernel()
    _ = try kernel.next()
    kernel.send([9, 0, 0, 0, 7, 0, 0, 0, 0, 0])
    kernel.send([13, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 0, 5])
    #expect(try kernel.key.receive(waitingAtMost: .zero) == .nothing)
    #expect(try kernel.next() == [10, 0, 0, 0, 7, 0, 0, 0, 5, 0, 0, 0])
    #expect(try kernel.next() == [14, 0, 0, 0, 8, 0, 0, 0, 5, 0])
  }

  @Test func `short and impossible events are ignored`() throws {
    let kernel = try Kernel()
    var impossible: [[UInt8]] = [[6], [6, 0, 0, 0], [6, 0, 0, 0, 0, 1, 2], [9, 0, 0, 0, 1]]
    for size: [UInt8] in [[0, 0], [1, 0], [1, 16], [255, 255]] {
      impossible.append([6, 0, 0, 0] + [UInt8](repeating: 1, count: 4096) + size + [1])
    }
    for event in impossible { kernel.send(event) }
    #expect(try kernel.key.receive(waitingAtMost: .zero) == .nothing)
  }

  @Test func `a device answers through the kernel`() async throws {
    let kernel = try Kernel()
    _ = try kernel.next()
    let hello = HIDReport.reports(
      channel: HIDReport.broadcast, command: FrameType.initialize, [1, 2, 3, 4, 5, 6, 7, 8])
    kernel.send([6, 0, 0, 0] + [0] + hello[0] + [UInt8](repeating: 0, count: 4096 - 65) + [65, 0, 1])
    kernel.unplug()
    try HIDServer(to: StubKey(interaction: GestureInteraction()), over: kernel.key, clock: TestClock()).serve()
    #expect(
      try kernel.next().prefix(21)
        == [12, 0, 0, 0, 64, 0, 0xff, 0xff, 0xff, 0xff, 0x86, 0, 17, 1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func `the end of the device and a failed write are told apart`() throws {
    let kernel = try Kernel()
    kernel.unplug()
    #expect(try kernel.key.receive(waitingAtMost: nil) == .end)
    let error = #expect(throws: TransportError.self) {
      try VirtualUSBKey(owning: OpenFile("/dev/null", .reading))
    }
    #expect(error == TransportError(.cannotPlugIn, "bad file descriptor"))
  }
}

/// The other end of /dev/uhid.
private final class Kernel {
  let key: VirtualUSBKey
  private let end: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    end = ends[0]
    key = try VirtualUSBKey(owning: OpenFile(owning: FileDescriptor(number: ends[1])))
  }

  deinit { close(end) }

  func send(_ event: [UInt8]) { _ = unsafe write(end, event, event.count) }

  /// Ends the events to the key; its answers can still be read.
  func unplug() { shutdown(end, Int32(SHUT_WR)) }

  func next() throws -> [UInt8] {
    let file = FileDescriptor(number: end)
    try #require(file.wait(for: .reading, until: .now + .seconds(HangGuard.seconds)))
    return try file.read(upTo: 8192)
  }
}
