// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService

/// A response header field that clients use. Generic HTTP fields, and fields that only browsers interpret, are not
/// described.
struct OpenAPIHeader {
  enum Name: String, CaseIterable {
    case requestID = "X-Request-Id"
    case sessionExpiry = "Session-Expires-At"
    case sessionWarning = "Session-Expires-In"
    case challenge = "WWW-Authenticate"
    case retryAfter = "Retry-After"
    case setCookie = "Set-Cookie"
    case disposition = "Content-Disposition"
    case location = "Location"
    case remoteUser = "Remote-User"
    case remoteName = "Remote-Name"
    case remoteEmail = "Remote-Email"
    case remoteGroups = "Remote-Groups"
    case remoteToken = "Remote-Token"
  }

  let name: Name
  let isAlways: Bool

  private init(_ name: Name, always isAlways: Bool = true) {
    self.name = name
    self.isAlways = isAlways
  }

  /// Returns the header fields of a problem response.
  static func of(_ problem: OpenAPIProblem) -> [OpenAPIHeader] {
    var headers = [OpenAPIHeader(.requestID)]
    switch problem.kind {
    case .refused: break
    case .unauthorized:
      headers.append(OpenAPIHeader(.challenge))
      if !problem.isOfSession { headers.append(OpenAPIHeader(.location, always: false)) }
    case .tooManyRequests: headers.append(OpenAPIHeader(.retryAfter))
    case .unavailable: headers.append(OpenAPIHeader(.retryAfter, always: false))
    }
    // Before authentication there is no session to report.
    return headers + (problem.isOfSession ? session(.sometimes) : [])
  }

  /// Returns the header fields of a success response.
  static func of(_ answer: Endpoint.Answer, _ endpoint: Endpoint, _ catalog: SchemaCatalog) -> [OpenAPIHeader] {
    var headers = [OpenAPIHeader(.requestID)]
    let implied: Endpoint.Answer.Presence = endpoint.requiresSession && !endpoint.endsSession ? .always : .never
    headers += session(answer.reportsSession ?? implied)
    if catalog.usesCookies, answer.setsCookie != .never {
      headers.append(OpenAPIHeader(.setCookie, always: answer.setsCookie == .always && !catalog.usesTokens))
    }
    if answer.isFile { headers.append(OpenAPIHeader(.disposition)) }
    if endpoint.name == .forwardAuth { headers += answer.isRedirect ? [OpenAPIHeader(.location)] : identity }
    return headers
  }

  /// The header fields with the user of a forwarded request.
  private static let identity =
    [OpenAPIHeader(.remoteUser), OpenAPIHeader(.remoteName)]
    + [.remoteEmail, .remoteGroups, .remoteToken].map { OpenAPIHeader($0, always: false) }

  /// Returns the session header fields. The warning is optional, because only the last minutes of a session have it.
  private static func session(_ presence: Endpoint.Answer.Presence) -> [OpenAPIHeader] {
    guard presence != .never else { return [] }
    return [
      OpenAPIHeader(.sessionExpiry, always: presence == .always), OpenAPIHeader(.sessionWarning, always: false),
    ]
  }

  func write(to headers: inout JSONObjectWriter) {
    headers.writeObject(name.rawValue) { (header: inout JSONObjectWriter) in
      header.write("description", meaning)
      header.write("required", .bool(isAlways))
      header.writeObject("schema", schema.write)
    }
  }

  private var schema: JSONSchema {
    switch name {
    case .sessionExpiry: .dateTime
    case .sessionWarning, .retryAfter: .integer
    case .requestID, .challenge, .setCookie, .disposition, .location, .remoteUser, .remoteName, .remoteEmail,
      .remoteGroups,
      .remoteToken:
      .string
    }
  }

  private var meaning: String {
    switch name {
    case .requestID: "The request ID in the server's log"
    case .sessionExpiry: "The time when the session expires"
    case .sessionWarning: "The remaining seconds of the session, in its last minutes"
    case .challenge: "The required authentication (RFC 6750, RFC 9470)"
    case .retryAfter: "The seconds to wait before a retry"
    case .setCookie: "The session cookie, or before sign-in the cookie that binds the ceremony to the browser"
    case .disposition: "The name of the file to download"
    case .location: "The sign-in page, in an answer to a proxy"
    case .remoteUser: "The identifier of the account"
    case .remoteName: "The user name, or the address of an account without one"
    case .remoteEmail: "The verified address of the account"
    case .remoteGroups: "The roles of the account, separated by commas"
    case .remoteToken: "A signed token for the audience of the request"
    }
  }
}
