// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Requests to a server and its responses, recorded by a browser, typed as commands of curl, or described by an OpenAPI document.
package struct Recording: Sendable {
  package let form: Form
  package internal(set) var messages: [RecordedMessage]
  /// The session cookie that an OpenAPI document declares.
  private(set) var declaredCookie: String?

  /// The form of a recording.
  package enum Form: String, Sendable {
    case har = "HAR file"
    case curl = "curl commands"
    case openAPI = "OpenAPI document"
  }

  /// 64 MiB  [a browser records every file of a page, images included]
  package static let maximumByteCount = 64 << 20

  /// 100,000 messages  [a browser records a few hundred for a page]
  static let maximumMessageCount = 100_000

  /// Reads a recording in any of the forms.
  ///
  /// - Throws: `recording.invalid` if the text has none of the forms.
  package init(_ text: Bytes) throws(ReportError) {
    let text = JSON.withoutByteOrderMark(text)
    guard text.first(where: { !" \n\r\t".utf8.contains($0) }) == UInt8(ascii: "{") else {
      form = .curl
      messages = try CurlCommands.messages(in: String(decoding: text, as: UTF8.self))
      return
    }
    do throws(WireError) {
      let document = try JSON.parse(text, maximumSize: Self.maximumByteCount)
      if let log = try document["log"] {
        form = .har
        messages = try HARFile.messages(in: log)
      } else if let paths = try document["paths"] {
        form = .openAPI
        let samples = OpenAPIMessages(document)
        messages = try samples.messages(of: paths)
        declaredCookie = samples.sessionCookie
      } else {
        throw WireError(.jsonMissingMember, at: document.offset)
      }
    } catch {
      throw ReportError(.recordingInvalid, "\(error)")
    }
  }
}

/// A request and its response.
package struct RecordedMessage: Sendable {
  package var method: String
  /// The path with the query.
  package var target: String
  /// The request's fields by their names, in lower case.
  package var fields: [String: String] = [:]
  package var request: JSONValue?
  package var status: Int?
  package var response: JSONValue?
  /// The names of the cookies that the response sets.
  package var cookies: [String] = []
  /// The names of the cookies that the request carries.
  package var sentCookies: [String] = []
  /// The values of the cookies that the request carries.
  var sentCookieValues: [String: String] = [:]
  /// The response's fields by their names, in lower case, without cookies.
  var responseFields: [String: String] = [:]
  /// The body of a response that is not JSON.
  var page: [UInt8]?

  /// The path without the query.
  package var path: String { String(target.prefix { $0 != "?" }) }

  /// Whether the request carried a session.
  var carriesSession: Bool { fields["cookie"] != nil || fields["authorization"] != nil }

  /// The parameters of the query.
  var parameters: [(name: String, value: String)] {
    target.drop { $0 != "?" }.dropFirst().split(separator: "&").compactMap { (pair) in
      let parts = pair.split(separator: "=", maxSplits: 1).map { Self.unescaped(String($0)) }
      return parts.first.map { ($0, parts.count > 1 ? parts[1] : "") }
    }
  }

  /// Decodes percent-encoding. Returns the text as it is if it is malformed.
  static func unescaped(_ text: String) -> String {
    guard text.contains("%") else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return text }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the path and the query of an address.
  static func target(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url.hasPrefix("/") ? url : "/" + url }
    let rest = url[scheme.upperBound...]
    let target = rest.drop { $0 != "/" && $0 != "?" }.prefix { $0 != "#" }
    return target.hasPrefix("/") ? String(target) : "/" + target
  }

  /// 1 MiB of a body  [messages of ceremonies have a few KiB; larger bodies are files of a page]
  static func body(_ text: String) -> JSONValue? {
    try? JSON.parse(Array(text.utf8)[...], maximumSize: 1 << 20)
  }

  /// Records the value of a `Cookie` field of the request.
  mutating func addSentCookies(_ value: String) {
    for pair in value.split(separator: ";") where pair.contains("=") {
      let name = String(pair.prefix { $0 != "=" }.filter { $0 != " " })
      sentCookies.append(name)
      sentCookieValues[name] = String(pair.drop { $0 != "=" }.dropFirst())
    }
  }

  /// Records a field of the response.
  mutating func addResponseField(_ name: String, _ value: String) {
    guard name.lowercased() == "set-cookie" else {
      responseFields[name.lowercased()] = value
      return
    }
    // Browsers join the fields with line breaks.
    for cookie in value.split(separator: "\n") {
      let name = cookie.prefix { $0 != "=" && $0 != ";" }.filter { $0 != " " }
      if !name.isEmpty, !Self.deletes(cookie) { cookies.append(String(name)) }
    }
  }

  /// Whether a `Set-Cookie` field deletes its cookie.
  private static func deletes(_ cookie: Substring) -> Bool {
    let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " }.lowercased() }
    if parts.first?.hasSuffix("=") != false { return true }
    return parts.dropFirst().contains {
      $0 == "max-age=0" || $0.hasPrefix("max-age=-") || $0.hasPrefix("expires=thu, 01 jan 1970")
    }
  }
}
