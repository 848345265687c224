// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of NIOCore (SwiftNIO 2), as far as the pages in Documentation/Integrations use them.

public struct ByteBuffer: Equatable, Sendable {
  private let bytes: [UInt8]

  public init(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  public var readableBytes: Int { bytes.count }
  public var readableBytesView: ByteBufferView { ByteBufferView(bytes: bytes) }
}

public struct ByteBufferView: RandomAccessCollection, Sendable {
  fileprivate let bytes: [UInt8]

  public var startIndex: Int { bytes.startIndex }
  public var endIndex: Int { bytes.endIndex }
  public subscript(position: Int) -> UInt8 { bytes[position] }
}

public struct FileRegion: Equatable, Sendable {}

public enum IOData: Equatable, Sendable {
  case byteBuffer(ByteBuffer)
  case fileRegion(FileRegion)
}

public struct NIOTooManyBytesError: Error {
  public init() {}
}

public struct SocketAddress: Sendable {
  public let ipAddress: String?

  public init(ipAddress: String?) {
    self.ipAddress = ipAddress
  }
}

public protocol Channel: AnyObject, Sendable {
  var remoteAddress: SocketAddress? { get }

  /// Passes a value to the channel's handlers, which trap unless it has the type that they take.
  func write(_ value: Any)
}

public struct NIOAsyncChannelOutboundWriter<Part: Sendable>: Sendable {
  fileprivate let channel: any Channel

  public func write(_ part: Part) async throws { channel.write(part) }
}

public struct NIOAsyncChannel<Inbound: Sendable, Outbound: Sendable>: Sendable {
  public let channel: any Channel
  private let received: [Inbound]

  /// A channel whose client sends these parts and leaves.
  public init(wrappingChannelSynchronously channel: any Channel, received: [Inbound]) throws {
    self.channel = channel
    self.received = received
  }

  public func executeThenClose<Result>(
    _ body: (AsyncStream<Inbound>, NIOAsyncChannelOutboundWriter<Outbound>) async throws -> Result
  ) async throws -> Result {
    let inbound = AsyncStream { (continuation) in
      for part in received { continuation.yield(part) }
      continuation.finish()
    }
    return try await body(inbound, NIOAsyncChannelOutboundWriter(channel: channel))
  }
}
