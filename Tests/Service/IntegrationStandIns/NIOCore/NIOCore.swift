// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of NIOCore (SwiftNIO 2), as far as the pages in Documentation/Integrations use them.

package struct ByteBuffer: Equatable, Sendable {
  private let bytes: [UInt8]

  package init(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  package var readableBytes: Int { bytes.count }
  package var readableBytesView: ByteBufferView { ByteBufferView(bytes: bytes) }
}

package struct ByteBufferView: RandomAccessCollection, Sendable {
  fileprivate let bytes: [UInt8]

  package var startIndex: Int { bytes.startIndex }
  package var endIndex: Int { bytes.endIndex }
  package subscript(position: Int) -> UInt8 { bytes[position] }
}

package struct FileRegion: Equatable, Sendable {}

package enum IOData: Equatable, Sendable {
  case byteBuffer(ByteBuffer)
  case fileRegion(FileRegion)
}

package struct NIOTooManyBytesError: Error {
  package init() {}
}

package struct SocketAddress: Sendable {
  package let ipAddress: String?

  package init(ipAddress: String?) {
    self.ipAddress = ipAddress
  }
}

package protocol Channel: AnyObject, Sendable {
  var remoteAddress: SocketAddress? { get }

  /// Passes a value to the channel's handlers, which trap unless it has the type that they take.
  func write(_ value: Any)
}

package struct NIOAsyncChannelOutboundWriter<Part: Sendable>: Sendable {
  fileprivate let channel: any Channel

  package func write(_ part: Part) async throws { channel.write(part) }
}

package struct NIOAsyncChannel<Inbound: Sendable, Outbound: Sendable>: Sendable {
  package let channel: any Channel
  private let received: [Inbound]

  /// A channel whose client sends these parts and leaves.
  package init(wrappingChannelSynchronously channel: any Channel, received: [Inbound]) throws {
    self.channel = channel
    self.received = received
  }

  package func executeThenClose<Result>(
    _ body: (AsyncStream<Inbound>, NIOAsyncChannelOutboundWriter<Outbound>) async throws -> Result
  ) async throws -> Result {
    let inbound = AsyncStream { (continuation) in
      for part in received { continuation.yield(part) }
      continuation.finish()
    }
    return try await body(inbound, NIOAsyncChannelOutboundWriter(channel: channel))
  }
}
