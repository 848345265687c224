// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The events in a page since it was opened.
package struct PageRecords: Sendable {
  /// A request of the page and its response.
  package struct Exchange: Sendable {
    let identifier: String
    package let method: String
    package let url: String
    /// The request body, if it is text.
    package let body: String?
    package var status: Int?
    /// The bytes received, with the header; 0 from a cache.
    package var receivedByteCount = 0
    /// The reason if the request failed, such as `net::ERR_CONNECTION_REFUSED`.
    package var failure: String?
    /// Whether the response came from a cache of the browser.
    package var isFromCache = false

    /// The path of the URL, with the query.
    package var path: String {
      let rest = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      return rest.count > 3 ? "/" + rest[3] : "/"
    }
  }

  /// A violation of the page's content security policy.
  package struct PolicyViolation: Hashable, Sendable {
    package let directive: String
    package let blockedURL: String?
    package let kind: String
  }

  /// The lines that scripts wrote to the console, as `level: text`.
  package var console: [String] = []
  /// The uncaught exceptions of scripts.
  package var exceptions: [String] = []
  package var violations: [PolicyViolation] = []
  package var exchanges: [Exchange] = []
  package var loadCount = 0
  package var navigationCount = 0
  /// The credentials that a virtual authenticator created, in base64.
  package var createdCredentials: [String] = []
  /// The credentials that a virtual authenticator used, in base64.
  package var usedCredentials: [String] = []
  /// The credentials that a signal of the page deleted from a virtual authenticator, in base64.
  package var deletedCredentials: [String] = []
  /// The credentials that a signal of the page changed, in base64.
  package var changedCredentials: [String] = []
  /// The functions that decide about requests, in the order in which they were set.
  var interceptions: [(pattern: String, decide: @Sendable (PausedRequest) async throws -> PausedRequestDecision)] = []
  /// Events that could not be read.
  package var unreadEvents: [String] = []

  mutating func add(_ event: String, _ parameters: JSONValue) throws {
    switch event {
    case "Page.loadEventFired": loadCount += 1
    case "Page.frameNavigated":
      if try parameters.require("frame")["parentId"] == nil { navigationCount += 1 }
    case "Runtime.consoleAPICalled": console.append(try Self.consoleLine(parameters))
    case "Runtime.exceptionThrown": exceptions.append(try Self.exception(parameters.require("exceptionDetails")))
    case "Log.entryAdded":
      let entry = try parameters.require("entry")
      console.append("\(try entry.require("level").string): \(try entry.require("text").string)")
    case "Audits.issueAdded": try addIssue(parameters.require("issue"))
    case "WebAuthn.credentialAdded": createdCredentials.append(try Self.credential(parameters))
    case "WebAuthn.credentialAsserted": usedCredentials.append(try Self.credential(parameters))
    case "WebAuthn.credentialUpdated": changedCredentials.append(try Self.credential(parameters))
    case "WebAuthn.credentialDeleted": deletedCredentials.append(try parameters.require("credentialId").string)
    case "Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFinished", "Network.loadingFailed",
      "Network.requestServedFromCache":
      try addNetworkEvent(event, parameters)
    default: break
    }
  }

  private mutating func addNetworkEvent(_ event: String, _ parameters: JSONValue) throws {
    let identifier = try parameters.require("requestId").string
    if event == "Network.requestWillBeSent" {
      let request = try parameters.require("request")
      let url = try request.require("url").string
      guard !url.hasPrefix("data:") else { return }
      exchanges.append(
        Exchange(
          identifier: identifier, method: try request.require("method").string, url: url,
          body: try request["postData"]?.string))
      return
    }
    guard let index = exchanges.lastIndex(where: { $0.identifier == identifier }) else { return }
    switch event {
    case "Network.responseReceived":
      let response = try parameters.require("response")
      exchanges[index].status = try response.require("status").integer()
      if try response["fromDiskCache"]?.bool == true { exchanges[index].isFromCache = true }
    case "Network.requestServedFromCache": exchanges[index].isFromCache = true
    case "Network.loadingFailed": exchanges[index].failure = try parameters.require("errorText").string
    default: exchanges[index].receivedByteCount = Int(try parameters.require("encodedDataLength").double)
    }
  }

  private mutating func addIssue(_ issue: JSONValue) throws {
    let details = try issue.require("details")
    guard let violation = try details["contentSecurityPolicyIssueDetails"] else { return }
    violations.append(
      PolicyViolation(
        directive: try violation.require("violatedDirective").string,
        blockedURL: try violation["blockedURL"]?.string,
        kind: try violation.require("contentSecurityPolicyViolationType").string))
  }

  private static func consoleLine(_ parameters: JSONValue) throws -> String {
    let texts = try parameters.require("args").elements { $0 }.map { (argument) in
      if let value = try argument["value"] {
        return value.kind == .string ? try value.string : String(decoding: value.encoded, as: UTF8.self)
      }
      return try argument["description"]?.string ?? argument.require("type").string
    }
    return "\(try parameters.require("type").string): \(texts.joined(separator: " "))"
  }

  /// The text of an exception with its stack.
  static func exception(_ details: JSONValue) throws -> String {
    let thrown = try details["exception"]
    if let text = try thrown?["description"]?.string { return text }
    if let value = try thrown?["value"] { return String(decoding: value.encoded, as: UTF8.self) }
    return try details.require("text").string
  }

  private static func credential(_ parameters: JSONValue) throws -> String {
    try parameters.require("credential").require("credentialId").string
  }
}
