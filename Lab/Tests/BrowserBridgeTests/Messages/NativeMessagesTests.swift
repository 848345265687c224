// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing

@testable import BrowserBridge

@Suite struct NativeMessagesTests {
  @Test func `a message is taken as it was encoded, whatever the chunks`() throws {
    let messages = [[UInt8]("{}".utf8), [], [UInt8](repeating: 7, count: 1000)]
    let bytes = try messages.flatMap { try NativeMessages.encode($0) }
    for size in [1, 3, 4, 5, bytes.count] {
      var buffer = NativeMessageBuffer()
      var taken: [[UInt8]] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        buffer.append(Array(bytes[start..<min(start + size, bytes.count)]))
        while let message = try buffer.take() { taken.append(Array(message)) }
      }
      #expect(taken == messages)
      try buffer.finish()
    }
  }

  @Test func `the length is in native byte order`() throws {
    let head = try NativeMessages.encode([UInt8](repeating: 0, count: 258)).prefix(4)
    #expect(Array(head) == (UInt32(1).littleEndian == 1 ? [2, 1, 0, 0] : [0, 0, 1, 2]))
  }

  @Test(arguments: [UInt32(NativeMessages.maximumIncomingByteCount) + 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff])
  func `a length above the limit is rejected before its message arrives`(length: UInt32) {
    var buffer = NativeMessageBuffer()
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    buffer.append(UInt32(1).littleEndian == 1 ? bytes : bytes.reversed())
    let error = #expect(throws: BrowserError.self) { try buffer.take() }
    #expect(error?.code == .messageTooLong)
  }

  @Test func `a message that is too long for the browser is not encoded`() {
    let message = [UInt8](repeating: 32, count: NativeMessages.maximumOutgoingByteCount + 1)
    let error = #expect(throws: BrowserError.self) { try NativeMessages.encode(message) }
    #expect(error?.code == .messageTooLong)
  }

  @Test func `a connection that ends in the middle of a message is reported`() throws {
    let message = try NativeMessages.encode([1, 2, 3])
    for count in 1..<message.count {
      var buffer = NativeMessageBuffer()
      buffer.append(Array(message.prefix(count)))
      #expect(try buffer.take() == nil)
      let error = #expect(throws: BrowserError.self) { try buffer.finish() }
      #expect(error?.code == .messageTruncated)
    }
  }
}
