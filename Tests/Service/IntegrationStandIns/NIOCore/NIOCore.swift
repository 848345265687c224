// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of NIOCore (SwiftNIO 2), as far as the pages in Documentation/Integrations use them.

public struct ByteBuffer: Equatable, Sendable {
  private let bytes: [UInt8]

  public init(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  public init() {
    bytes = []
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

extension String {
  public init(buffer: ByteBuffer) {
    self.init(decoding: buffer.readableBytesView, as: UTF8.self)
  }
}

extension [UInt8] {
  public init(buffer: ByteBuffer) {
    self.init(buffer.readableBytesView)
  }
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

public final class EventLoopFuture<Value: Sendable>: Sendable {
  private let result: Result<Value, any Error>

  public init(_ result: Result<Value, any Error>) {
    self.result = result
  }

  public func get() async throws -> Value { try result.get() }
}

public struct EventLoop: Sendable {
  public func makeCompletedFuture<Value: Sendable>(withResultOf body: () throws -> Value) -> EventLoopFuture<Value> {
    EventLoopFuture(Result { try body() })
  }
}

public protocol Channel: AnyObject, Sendable {
  var remoteAddress: SocketAddress? { get }

  /// The requests of clients, as parts of the type that the channel's handlers make.
  var received: [any Sendable] { get }

  /// Passes a value to the channel's handlers, which trap unless it has the type that they take.
  func write(_ value: Any)
}

extension Channel {
  public var eventLoop: EventLoop { EventLoop() }
  public var pipeline: ChannelPipeline { ChannelPipeline() }
}

public struct ChannelPipeline: Sendable {
  public struct SynchronousOperations: Sendable {}

  public var syncOperations: SynchronousOperations { SynchronousOperations() }
}

public struct NIOAsyncChannelOutboundWriter<Part: Sendable>: Sendable {
  fileprivate let channel: any Channel

  public func write(_ part: Part) async throws { channel.write(part) }
}

public struct NIOAsyncChannel<Inbound: Sendable, Outbound: Sendable>: Sendable {
  public let channel: any Channel

  public init(wrappingChannelSynchronously channel: any Channel) throws {
    self.channel = channel
  }

  /// The parts of another type end the process, as the framework's handlers do.
  public func executeThenClose<Result>(
    _ body: (AsyncStream<Inbound>, NIOAsyncChannelOutboundWriter<Outbound>) async throws -> Result
  ) async throws -> Result {
    let inbound = AsyncStream { (continuation) in
      for part in channel.received {
        guard let part = part as? Inbound else { fatalError("a received part is a \(type(of: part))") }
        continuation.yield(part)
      }
      continuation.finish()
    }
    return try await body(inbound, NIOAsyncChannelOutboundWriter(channel: channel))
  }

  public func executeThenClose<Result>(
    _ body: (AsyncStream<Inbound>) async throws -> Result
  ) async throws -> Result where Outbound == Never {
    try await executeThenClose { (inbound, _) in try await body(inbound) }
  }
}
