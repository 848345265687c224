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
  /// The names of the request's fields, in lower case.
  package var fieldNames: Set<String> = []
  package var request: JSONValue?
  package var status: Int?
  package var response: JSONValue?
  /// The names of the cookies that the response sets.
  package var cookies: [String] = []
  /// The names of the cookies that the request carries.
  package var sentCookies: [String] = []

  /// The path without the query.
  package var path: String { String(target.prefix { $0 != "?" }) }

  /// Whether the request carried a session.
  var carriesSession: Bool { fieldNames.contains("cookie") || fieldNames.contains("authorization") }

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
    sentCookies += value.split(separator: ";").filter { $0.contains("=") }.map { (pair) in
      String(pair.prefix { $0 != "=" }.filter { $0 != " " })
    }
  }

  /// Records a field of the response.
  mutating func addResponseField(_ name: String, _ value: String) {
    guard name.lowercased() == "set-cookie" else { return }
    // Browsers join the fields with line breaks.
    for cookie in value.split(separator: "\n") {
      let name = cookie.prefix { $0 != "=" && $0 != ";" }.filter { $0 != " " }
      if !name.isEmpty { cookies.append(String(name)) }
    }
  }
}
