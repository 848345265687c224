// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of swift-log 1, as far as the pages in Documentation/Integrations use them.

internal import Synchronization

package struct Logger: Sendable {
  package struct Message: ExpressibleByStringInterpolation, Sendable {
    fileprivate let text: String

    package init(stringLiteral value: String) {
      text = value
    }
  }

  private final class Lines: Sendable {
    let texts = Mutex<[String]>([])
  }

  private let lines = Lines()

  package init() {}

  /// The logged messages, for tests.
  package var notices: [String] { lines.texts.withLock { $0 } }

  package func notice(_ message: @autoclosure () -> Message) {
    let text = message().text
    lines.texts.withLock { $0.append(text) }
  }
}
