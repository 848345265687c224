// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A request that waits for the decision of a test.
package struct PausedRequest: Sendable {
  package let method: String
  package let url: String
  package let body: String?
}

/// The decision of a test about a paused request.
package enum PausedRequestDecision: Sendable {
  /// Send it, with another body if there is one.
  case send(body: String? = nil)
  /// Answer it without the server.
  case answer(status: Int, headers: [String: String] = [:], body: String = "")
  /// Fail it as a lost connection does, before it reaches the server.
  case fail
  /// Send it, and lose the answer of the server.
  case sendAndLoseAnswer
}

extension Page {
  /// Lets a test decide about the requests to URLs that match a pattern with `*`.
  package func intercept(
    _ pattern: String, _ decide: @escaping @Sendable (PausedRequest) async throws -> PausedRequestDecision
  ) async throws {
    observed.update { $0.interceptions.append((pattern, decide)) }
    let patterns = observed.update { $0.interceptions.map(\.pattern) }
    try await send("Fetch.enable") { (parameters) in
      parameters.writeArray("patterns") { (list) in
        for pattern in patterns { list.writeObject { $0.write("urlPattern", pattern) } }
      }
    }
  }

  /// Ends all interceptions.
  package func endInterceptions() async throws {
    observed.update { $0.interceptions = [] }
    try await send("Fetch.disable")
  }

  /// Takes the network away from the page, or gives it back.
  package func setOffline(_ isOffline: Bool) async throws {
    try await send("Network.emulateNetworkConditions") { (parameters) in
      parameters.write("offline", .bool(isOffline))
      for name in ["latency", "downloadThroughput", "uploadThroughput"] { parameters.write(name, -1) }
    }
    // The browser's network process learns of it after the page.
    try await run(
      """
      const canLoad = () => fetch(location.href, {method: 'HEAD', cache: 'no-store'}).then(() => true, () => false);
      while (await canLoad() !== \(!isOffline)) await new Promise((done) => setTimeout(done, 20));
      """, isUserAction: false)
  }

  /// Empties the browser's HTTP cache.
  package func clearCache() async throws {
    try await send("Network.clearBrowserCache")
  }

  /// Returns the cookies that the browser would send to the page's URL, by name.
  package func cookies() async throws -> [String: String] {
    let cookies = try await send("Network.getCookies").require("cookies")
    let pairs = try cookies.elements { (cookie) throws(WireError) in
      (try cookie.require("name").string, try cookie.require("value").string)
    }
    return Dictionary(pairs) { (first, _) in first }
  }

  func respond(toPaused parameters: JSONValue) {
    Task {
      let identifier = try parameters.require("requestId").string
      // The answer of a request whose answer is to be lost.
      guard try parameters["responseStatusCode"] == nil else { return try await fail(identifier) }
      let request = try parameters.require("request")
      let paused = PausedRequest(
        method: try request.require("method").string, url: try request.require("url").string,
        body: try request["postData"]?.string)
      let decide = observed.update { (records) in
        records.interceptions.last { Self.matches(paused.url, $0.pattern) }?.decide
      }
      let decision = (try? await decide?(paused)) ?? .fail
      switch decision {
      case .send(let body):
        try await send("Fetch.continueRequest") { (parameters) in
          parameters.write("requestId", identifier)
          if let body { parameters.write("postData", .base64(Array(body.utf8))) }
        }
      case .answer(let status, let headers, let body):
        try await send("Fetch.fulfillRequest") { (parameters) in
          parameters.write("requestId", identifier)
          parameters.write("responseCode", .integer(status))
          parameters.writeArray("responseHeaders") { (list) in
            for (name, value) in headers {
              list.writeObject { (header) in
                header.write("name", name)
                header.write("value", value)
              }
            }
          }
          parameters.write("body", .base64(Array(body.utf8)))
        }
      case .fail: try await fail(identifier)
      case .sendAndLoseAnswer:
        try await send("Fetch.continueRequest") { (parameters) in
          parameters.write("requestId", identifier)
          parameters.write("interceptResponse", true)
        }
      }
    }
  }

  private func fail(_ request: String) async throws {
    try await send("Fetch.failRequest") { (parameters) in
      parameters.write("requestId", request)
      parameters.write("errorReason", "ConnectionReset")
    }
  }

  /// Whether a URL matches a pattern in which each `*` stands for any text.
  private static func matches(_ url: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, url.hasPrefix(first) else { return false }
    guard parts.count > 1 else { return url == pattern }
    var rest = url.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
