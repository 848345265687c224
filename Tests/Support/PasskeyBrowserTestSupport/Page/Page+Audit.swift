// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyTestSupport

/// A rule of accessibility that a page violates.
package struct AccessibilityViolation: Hashable, Sendable, CustomStringConvertible {
  /// The rule of axe-core, such as `color-contrast`.
  package let rule: String
  /// The first element, as HTML.
  package let element: String
  /// The reason, with measured values.
  package let reason: String

  package var description: String { "\(rule): \(element): \(reason)" }
}

extension Page {
  /// The script of axe-core, which Scripts/test --tier merge --module Browser fetches.
  package static let auditScript = "\(projectFolder)/.build/browser-tests/axe.min.js"

  /// Checks the page as it is now against the rules of axe-core for WCAG 2.2, levels A and AA, and its best practices.
  package func accessibilityViolations() async throws -> [AccessibilityViolation] {
    guard let script = try? File.bytes(Self.auditScript) else {
      throw BrowserError.notStarted("axe-core is not there; run Scripts/test --tier merge --module Browser")
    }
    if try await !run("return 'axe' in window").bool { try await run(String(decoding: script, as: UTF8.self)) }
    let found = try await run(
      """
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const {violations} = await axe.run(document, {runOnly: tags, resultTypes: ['violations'], preload: false});
      return violations.map(({id, nodes: [{html, failureSummary}]}) => [id, html, failureSummary]);
      """)
    return try found.elements { $0 }.map { (violation) in
      let texts = try violation.elements { (text) throws(WireError) in try text.string }
      return AccessibilityViolation(rule: texts[0], element: texts[1], reason: texts[2])
    }
  }
}
