// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension Page {
  /// Runs the body of an async function in the page and returns its result; JSON `null` if it has none. With `isUserAction`,
  /// the page treats it as the action of a user, such as a click.
  @discardableResult
  package func run(_ body: String, isUserAction: Bool = true) async throws -> JSONValue {
    let reply = try await send("Runtime.evaluate") { (parameters) in
      parameters.write("expression", "(async () => {\(body)\n})()")
      parameters.write("awaitPromise", true)
      parameters.write("returnByValue", true)
      parameters.write("userGesture", .bool(isUserAction))
    }
    if let details = try reply["exceptionDetails"] { throw BrowserError.threw(try PageRecords.exception(details)) }
    return try reply.require("result")["value"] ?? JSON.parse("null")
  }

  /// Runs the body of an async function that returns a string.
  package func text(_ body: String) async throws -> String { try await run(body).string }

  /// Runs a script at the start of each document that the page opens from now on.
  package func runInNewDocuments(_ script: String) async throws {
    try await send("Page.addScriptToEvaluateOnNewDocument") { $0.write("source", script) }
  }

  /// Waits until an expression of the page is true. The wait survives navigations.
  package func wait(until expression: String) async throws {
    _ = try await text(awaiting: "(\(expression)) ? 'true' : ''")
  }

  /// Waits until an expression of the page is a text that is not empty, and returns it. The wait survives navigations.
  package func text(awaiting expression: String) async throws -> String {
    // The page offers no event for an arbitrary condition, so it checks every 20 ms.
    let body = """
      return await new Promise((done) => {
        const check = () => {
          const text = \(expression);
          if (text) done(text);
          else setTimeout(check, 20);
        };
        check();
      });
      """
    while true {
      do {
        return try await run(body, isUserAction: false).string
      } catch BrowserError.refused(_, let message) where message.contains("context") || message.contains("navigated") {
        continue
      }
    }
  }
}
