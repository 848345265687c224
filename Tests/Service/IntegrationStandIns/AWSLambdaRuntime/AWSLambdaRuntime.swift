// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of AWSLambdaRuntime 2, as far as Documentation/Integrations/AWSLambda.md uses them.

public import LoggingStandIn

public struct LambdaContext: Sendable {
  public let logger: Logger

  public init(logger: Logger) {
    self.logger = logger
  }
}

/// A runtime that runs its body with the events of a test.
public final class LambdaRuntime<Event: Sendable, Output>: Sendable {
  private let logger: Logger
  private let body: @Sendable (Event, LambdaContext) async throws -> Output

  public init(logger: Logger, body: @escaping @Sendable (Event, LambdaContext) async throws -> Output) {
    self.logger = logger
    self.body = body
  }

  public func run() async throws {
    for event in LambdaEvents.waiting {
      guard let event = event as? Event else { fatalError("the event is a \(type(of: event))") }
      let output = try await body(event, LambdaContext(logger: logger))
      await LambdaEvents.received(output)
    }
  }
}

public enum LambdaEvents {
  @TaskLocal public static var waiting: [any Sendable] = []
  @TaskLocal public static var received: @Sendable (Any) async -> Void = { (_) in }
}
