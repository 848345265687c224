// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of NIOPosix (SwiftNIO 2), as far as Documentation/Integrations/SwiftNIO.md uses them.

public import NIOCoreStandIn

public struct MultiThreadedEventLoopGroup: Sendable {
  public static var singleton: MultiThreadedEventLoopGroup { MultiThreadedEventLoopGroup() }
}

public struct SocketOption: Sendable {
  public struct Name: Sendable {
    public static let so_reuseaddr = Name()
  }

  public static func socketOption(_ name: Name) -> SocketOption { SocketOption() }
}

/// A server socket whose clients a test has set.
public struct ServerBootstrap: Sendable {
  /// The channels of the clients that connect.
  @TaskLocal public static var clients: [any Channel] = []

  private final class Socket: Channel {
    let remoteAddress: SocketAddress? = nil
    let received: [any Sendable]

    init(_ received: [any Sendable]) {
      self.received = received
    }

    func write(_ value: Any) { fatalError("a server socket writes nothing") }
  }

  public init(group: MultiThreadedEventLoopGroup) {}

  public func serverChannelOption(_ option: SocketOption, value: Int32) -> ServerBootstrap { self }

  public func bind<Client: Sendable>(
    host: String, port: Int, childChannelInitializer: (any Channel) -> EventLoopFuture<Client>
  ) async throws -> NIOAsyncChannel<Client, Never> {
    var accepted: [any Sendable] = []
    for channel in Self.clients { accepted.append(try await childChannelInitializer(channel).get()) }
    return try NIOAsyncChannel(wrappingChannelSynchronously: Socket(accepted))
  }
}
