// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of swift-distributed-tracing 1.4.1, as far as the trait Tracing uses them.

internal import Synchronization

public struct ServiceContext: Sendable {
  @TaskLocal public static var current: ServiceContext?

  public static var topLevel: ServiceContext { ServiceContext() }

  private var values: [ObjectIdentifier: any Sendable] = [:]

  public subscript<Key: ServiceContextKey>(_ key: Key.Type) -> Key.Value? {
    get { values[ObjectIdentifier(key)] as? Key.Value }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

public protocol ServiceContextKey: Sendable {
  associatedtype Value: Sendable
}

public protocol Extractor: Sendable {
  associatedtype Carrier: Sendable

  func extract(key: String, from carrier: Carrier) -> String?
}

public protocol Instrument: Sendable {
  func extract<Carrier, Extract>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
  where Extract: Extractor, Extract.Carrier == Carrier
}

public protocol LegacyTracer: Instrument {
  func startAnySpan(_ operationName: String, context: ServiceContext, ofKind kind: SpanKind) -> any Span
}

public enum InstrumentationSystem {
  private static let current = Mutex<any LegacyTracer>(NoTracer())

  public static var instrument: any Instrument { legacyTracer }

  public static var legacyTracer: any LegacyTracer { current.withLock { $0 } }

  public static func bootstrap(_ tracer: any LegacyTracer) {
    current.withLock { $0 = tracer }
  }
}

public enum SpanKind: Hashable, Sendable {
  case server, client, internalKind

  public static let `internal` = SpanKind.internalKind
}

public struct SpanStatus: Equatable, Sendable {
  public enum Code: Sendable {
    case ok, error
  }

  public let code: Code
  public let message: String?

  public init(code: Code, message: String? = nil) {
    self.code = code
    self.message = message
  }
}

public protocol SpanAttributeConvertible: Sendable {}

extension String: SpanAttributeConvertible {}

extension Int: SpanAttributeConvertible {}

public struct SpanAttributes: Sendable {
  public private(set) var values: [String: any SpanAttributeConvertible] = [:]

  public init() {}

  public subscript(_ name: String) -> (any SpanAttributeConvertible)? {
    get { values[name] }
    set { values[name] = newValue }
  }
}

public protocol Span: Sendable {
  var context: ServiceContext { get }
  var operationName: String { get nonmutating set }
  var attributes: SpanAttributes { get nonmutating set }

  func setStatus(_ status: SpanStatus)
  func recordError(_ error: any Error)
  func end()
}

public func withSpan<T>(
  _ operationName: String, context: @autoclosure () -> ServiceContext = .current ?? .topLevel,
  ofKind kind: SpanKind = .internal, isolation: isolated (any Actor)? = #isolation,
  _ operation: (any Span) async throws -> T
) async rethrows -> T {
  let span = InstrumentationSystem.legacyTracer.startAnySpan(operationName, context: context(), ofKind: kind)
  defer { span.end() }
  do {
    return try await ServiceContext.$current.withValue(span.context) { try await operation(span) }
  } catch {
    span.recordError(error)
    throw error
  }
}

private struct NoTracer: LegacyTracer {
  private struct NoSpan: Span {
    let context: ServiceContext
    var operationName: String {
      get { "" }
      nonmutating set {}
    }
    var attributes: SpanAttributes {
      get { SpanAttributes() }
      nonmutating set {}
    }

    func setStatus(_ status: SpanStatus) {}
    func recordError(_ error: any Error) {}
    func end() {}
  }

  func extract<Carrier, Extract>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
  where Extract: Extractor, Extract.Carrier == Carrier {}

  func startAnySpan(_ operationName: String, context: ServiceContext, ofKind kind: SpanKind) -> any Span {
    NoSpan(context: context)
  }
}
