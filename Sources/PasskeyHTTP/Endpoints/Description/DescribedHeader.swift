// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

/// A response header field that clients use. Generic HTTP fields, and fields that only browsers interpret, are not
/// described.
struct DescribedHeader {
  enum Name: String, CaseIterable {
    case requestID = "X-Request-Id"
    case sessionExpiry = "Session-Expires-At"
    case sessionWarning = "Session-Expires-In"
    case challenge = "WWW-Authenticate"
    case retryAfter = "Retry-After"
    case setCookie = "Set-Cookie"
    case disposition = "Content-Disposition"
  }

  let name: Name
  let isAlways: Bool

  private init(_ name: Name, always isAlways: Bool = true) {
    self.name = name
    self.isAlways = isAlways
  }

  /// Returns the header fields of a problem response.
  static func of(_ problem: ProblemAnswer) -> [DescribedHeader] {
    var headers = [DescribedHeader(.requestID)]
    switch problem.kind {
    case .refused: break
    case .unauthorized: headers.append(DescribedHeader(.challenge))
    case .tooManyRequests: headers.append(DescribedHeader(.retryAfter))
    case .unavailable: headers.append(DescribedHeader(.retryAfter, always: false))
    }
    // Before authentication there is no session to report.
    return headers + (problem.isOfSession ? session(.sometimes) : [])
  }

  /// Returns the header fields of a success response.
  static func of(_ answer: Endpoint.Answer, _ endpoint: Endpoint, _ vocabulary: Vocabulary) -> [DescribedHeader] {
    var headers = [DescribedHeader(.requestID)]
    let implied: Endpoint.Answer.Presence = endpoint.takesSession && !endpoint.endsSession ? .always : .never
    headers += session(answer.tellsSession ?? implied)
    if vocabulary.usesCookies, answer.setsCookie != .never {
      headers.append(DescribedHeader(.setCookie, always: answer.setsCookie == .always))
    }
    if answer.isFile { headers.append(DescribedHeader(.disposition)) }
    return headers
  }

  /// Returns the session header fields. The warning is optional, because only the last minutes of a session have it.
  private static func session(_ presence: Endpoint.Answer.Presence) -> [DescribedHeader] {
    guard presence != .never else { return [] }
    return [
      DescribedHeader(.sessionExpiry, always: presence == .always), DescribedHeader(.sessionWarning, always: false),
    ]
  }

  func write(to headers: inout JSONObjectWriter) {
    headers.writeObject(name.rawValue) { (header: inout JSONObjectWriter) in
      header.write("description", .string(meaning))
      header.write("required", .bool(isAlways))
      header.writeObject("schema", shape.write)
    }
  }

  private var shape: Shape {
    switch name {
    case .sessionExpiry: .dateTime
    case .sessionWarning, .retryAfter: .integer
    case .requestID, .challenge, .setCookie, .disposition: .string
    }
  }

  private var meaning: String {
    switch name {
    case .requestID: "What the request is called in the server's log"
    case .sessionExpiry: "When the session ends"
    case .sessionWarning: "How many seconds the session has left, in its last minutes"
    case .challenge: "What it takes to be answered (RFC 6750, RFC 9470)"
    case .retryAfter: "In how many seconds the same may succeed"
    case .setCookie: "The session's cookie, or what ties a ceremony to the browser until there is one"
    case .disposition: "That it is a file, and its name"
    }
  }
}
