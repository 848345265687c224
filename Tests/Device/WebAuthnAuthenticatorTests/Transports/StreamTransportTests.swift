// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import WebAuthnAuthenticator

struct StreamTransportTests {
  @Test func `split and joined frames are assembled`() throws {
    let pipe = try Pipe()
    for byte: UInt8 in [0, 0, 0, 2, 7, 8] {
      #expect(try pipe.transport.receive(waitingAtMost: .zero) == .nothing)
      pipe.write([byte])
    }
    #expect(try pipe.transport.receive(waitingAtMost: nil) == .frame([7, 8]))
    pipe.write([0, 0, 0, 1, 5, 0, 0, 0, 0, 0, 0, 0, 1, 6, 0])
    #expect(try pipe.transport.receive(waitingAtMost: nil) == .frame([5]))
    #expect(try pipe.transport.receive(waitingAtMost: nil) == .frame([]))
    #expect(try pipe.transport.receive(waitingAtMost: nil) == .frame([6]))
    #expect(try pipe.transport.receive(waitingAtMost: .milliseconds(1)) == .nothing)
  }

  @Test func `long frames are assembled, and those that follow them`() throws {
    let pipe = try Pipe()
    for (content, count) in [(1, 10_000), (2, 10_000), (3, 30_000), (4, 5)] as [(UInt8, Int)] {
      pipe.write([0, 0, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)])
      pipe.write([UInt8](repeating: content, count: count))
    }
    for (content, count) in [(1, 10_000), (2, 10_000), (3, 30_000), (4, 5)] as [(UInt8, Int)] {
      let frame = [UInt8](repeating: content, count: count)[...]
      #expect(try pipe.transport.receive(waitingAtMost: nil) == .frame(frame))
    }
  }

  @Test func `the end of the stream between frames is the end, and within one an error`() throws {
    let whole = try Pipe()
    whole.write([0, 0, 0, 1, 5])
    whole.finish()
    #expect(try whole.transport.receive(waitingAtMost: nil) == .frame([5]))
    #expect(try whole.transport.receive(waitingAtMost: nil) == .end)
    for cut in [1, 4, 5] {
      let broken = try Pipe()
      broken.write([UInt8]([0, 0, 0, 2, 5, 6].prefix(cut)))
      broken.finish()
      #expect(throws: TransportError(.brokenFrame, "the stream ends within a frame"), "after \(cut) bytes") {
        try broken.transport.receive(waitingAtMost: nil)
      }
    }
  }

  @Test func `an excessive length is refused before memory is allocated`() throws {
    let pipe = try Pipe()
    pipe.write([0, 0x10, 0, 1])
    #expect(throws: TransportError(.frameTooLong, "1048577 bytes")) {
      try pipe.transport.receive(waitingAtMost: nil)
    }
  }

  @Test func `a read or write error has its cause`() throws {
    let nowhere = StreamTransport(input: -1, output: -1)
    #expect(throws: TransportError(.readFailed, "bad file descriptor")) { try nowhere.receive(waitingAtMost: nil) }
    #expect(throws: TransportError(.writeFailed, "bad file descriptor")) { try nowhere.send([1]) }
  }
}

/// A pipe whose read end belongs to a transport.
private final class Pipe {
  let transport: StreamTransport
  private let reading: Int32
  private var writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
    transport = StreamTransport(input: reading, output: writing)
  }

  deinit {
    close(reading)
    finish()
  }

  func write(_ bytes: [UInt8]) { _ = unsafe Glibc.write(writing, bytes, bytes.count) }

  func finish() {
    if writing >= 0 { close(writing) }
    writing = -1
  }
}
