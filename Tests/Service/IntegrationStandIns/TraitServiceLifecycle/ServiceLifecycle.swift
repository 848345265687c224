// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of swift-service-lifecycle 2.11.0, as far as the trait ServiceLifecycle uses them.

public protocol Service: Sendable {
  func run() async throws
}

public enum TaskLocals {
  @TaskLocal public static var gracefulShutdownManager: GracefulShutdownManager?
}

public final class GracefulShutdownManager: Sendable {
  fileprivate let (beginnings, beginning) = AsyncStream.makeStream(of: Never.self)

  public init() {}

  public func shutdownGracefully() {
    beginning.finish()
  }
}

public func gracefulShutdown() async throws {
  guard let manager = TaskLocals.gracefulShutdownManager else { return }
  for await _ in manager.beginnings {}
  try Task.checkCancellation()
}
