// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of swift-metrics 2.10.1, as far as the trait Metrics uses them.

internal import Synchronization

public final class Counter: Sendable {
  private let handler: any CounterHandler

  public convenience init(label: String, dimensions: [(String, String)] = []) {
    self.init(handler: MetricsSystem.factory.makeCounter(label: label, dimensions: dimensions))
  }

  private init(handler: any CounterHandler) {
    self.handler = handler
  }

  public func increment() {
    handler.increment(by: 1)
  }
}

public final class Timer: Sendable {
  private let handler: any TimerHandler

  public convenience init(label: String, dimensions: [(String, String)] = []) {
    self.init(handler: MetricsSystem.factory.makeTimer(label: label, dimensions: dimensions))
  }

  private init(handler: any TimerHandler) {
    self.handler = handler
  }

  public func recordNanoseconds(_ duration: Int64) {
    handler.recordNanoseconds(duration)
  }
}

public protocol CounterHandler: AnyObject, Sendable {
  func increment(by: Int64)
}

public protocol TimerHandler: AnyObject, Sendable {
  func recordNanoseconds(_ duration: Int64)
}

public protocol MetricsFactory: Sendable {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler
}

public enum MetricsSystem {
  private static let current = Mutex<any MetricsFactory>(NoMetrics())

  public static var factory: any MetricsFactory { current.withLock { $0 } }

  public static func bootstrap(_ factory: any MetricsFactory) {
    current.withLock { $0 = factory }
  }
}

private final class NoMetrics: MetricsFactory, CounterHandler, TimerHandler {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { self }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { self }
  func increment(by: Int64) {}
  func recordNanoseconds(_ duration: Int64) {}
}
