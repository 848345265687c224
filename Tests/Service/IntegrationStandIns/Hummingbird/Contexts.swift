// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The request contexts.

public import LoggingStandIn
public import NIOCoreStandIn

public protocol RequestContextSource {
  var logger: Logger { get }
}

public struct ApplicationRequestContextSource: RequestContextSource {
  public let channel: any Channel
  public let logger: Logger
}

extension Never: RequestContextSource {
  public var logger: Logger { fatalError("no source") }
}

public struct CoreRequestContextStorage: Sendable {
  fileprivate let logger: Logger

  public init(source: some RequestContextSource) {
    logger = source.logger
  }
}

public protocol InitializableFromSource<Source> {
  associatedtype Source

  init(source: Source)
}

public protocol RequestContext: InitializableFromSource, RequestContextSource, SendableMetatype {
  associatedtype Source: RequestContextSource = ApplicationRequestContextSource

  var coreContext: CoreRequestContextStorage { get set }
}

extension RequestContext {
  public var logger: Logger { coreContext.logger }
}

public struct BasicRequestContext: RequestContext {
  public var coreContext: CoreRequestContextStorage

  public init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}

public protocol RemoteAddressRequestContext: RequestContext {
  var remoteAddress: SocketAddress? { get }
}

/// A context that middleware made from another one.
public protocol ChildRequestContext<ParentContext>: RequestContext where Source == Never {
  associatedtype ParentContext: RequestContext

  init(context: ParentContext) throws
}

extension ChildRequestContext {
  public init(source: Never) { fatalError("no source") }
}
