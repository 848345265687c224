// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of swift-log 1, as far as the pages in Documentation/Integrations use them.

internal import Synchronization

public struct Logger: Sendable {
  public struct Message: ExpressibleByStringInterpolation, Sendable {
    fileprivate let text: String

    public init(stringLiteral value: String) {
      text = value
    }
  }

  private final class Lines: Sendable {
    let texts = Mutex<[String]>([])
  }

  private let lines = Lines()

  public init(label: String) {}

  /// The logged messages, for tests.
  public var notices: [String] { lines.texts.withLock { $0 } }

  public func notice(_ message: @autoclosure () -> Message) {
    let text = message().text
    lines.texts.withLock { $0.append(text) }
  }
}
