// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct FrameBufferTests {
  @Test func `encoded frames are decoded byte by byte`() {
    let frames = FrameBuffer.encode(0x10, [1, 2, 3]) + FrameBuffer.encode(0x3b, [])
    var buffer = FrameBuffer()
    var taken: [FrameBuffer.Content] = []
    for byte in frames {
      buffer.append([byte])
      let content = buffer.take()
      if content != .nothing { taken.append(content) }
    }
    #expect(taken == [.frame(type: 0x10, payload: [1, 2, 3]), .frame(type: 0x3b, payload: [])])
  }

  @Test(arguments: [[0, 0, 0, 0], [0, 0x10, 0, 1], [0xff, 0xff, 0xff, 0xff]] as [[UInt8]])
  func `an invalid length is refused`(_ bytes: [UInt8]) {
    var buffer = FrameBuffer()
    buffer.append(bytes)
    #expect(buffer.take() == .invalid)
  }

  @Test func `the longest frame is accepted`() {
    var buffer = FrameBuffer()
    buffer.append(FrameBuffer.encode(1, [UInt8](repeating: 0, count: Int(FrameBuffer.maximumFrameByteCount) - 1)))
    guard case .frame(1, let payload) = buffer.take() else {
      Issue.record("no frame")
      return
    }
    #expect(payload.count == Int(FrameBuffer.maximumFrameByteCount) - 1)
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `frames that arrive together are not copied repeatedly`() {
    let signs = 20_000
    let flood = [UInt8]((0..<signs).flatMap { (_) in FrameBuffer.encode(0x3b, [1]) })
    var buffer = FrameBuffer()
    buffer.append(flood)
    var count = 0
    let bytes = AllocationCounter.bytes(during: {
      while case .frame(0x3b, _) = buffer.take() { count += 1 }
    })
    #expect(count == signs)
    // Each payload is one small allocation. Copying the remainder for each would allocate about a thousand million
    // bytes.
    #expect(bytes < 400 * signs, "\(bytes)")
    // Consumed data are released.
    buffer.append([0, 0, 0, 1, 7])
    #expect(buffer.take() == .frame(type: 7, payload: []))
    #expect(buffer.take() == .nothing)
  }
}
