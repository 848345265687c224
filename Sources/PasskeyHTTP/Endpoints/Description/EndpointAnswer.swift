// SPDX-License-Identifier: Apache-2.0

extension Endpoint {
  /// The success response of an endpoint.
  struct Answer: Sendable {
    enum Body: Sendable {
      case none
      case json(Shape)
      case text(contentType: String)
    }

    enum Presence: Sendable {
      case never
      case sometimes
      case always
    }

    let status: HTTPStatus
    let body: Body

    /// Whether the response reports the session expiry; nil to derive it from the endpoint's access.
    var tellsSession: Presence?

    /// Whether the response sets a cookie, in profiles with cookie tokens.
    var setsCookie = Presence.never

    /// Whether browsers download the response as a file.
    var isFile = false

    /// Returns a response with a JSON body.
    static func ok(
      _ shape: Shape, tellsSession: Presence? = nil, setsCookie: Presence = .never, isFile: Bool = false
    ) -> Answer {
      Answer(.ok, .json(shape), tellsSession: tellsSession, setsCookie: setsCookie, isFile: isFile)
    }

    /// A response without a body.
    static let noContent = noContent(setsCookie: .never)

    /// Returns a response without a body.
    static func noContent(setsCookie: Presence) -> Answer {
      Answer(.noContent, .none, setsCookie: setsCookie)
    }

    init(
      _ status: HTTPStatus, _ body: Body, tellsSession: Presence? = nil, setsCookie: Presence = .never,
      isFile: Bool = false
    ) {
      self.status = status
      self.body = body
      self.tellsSession = tellsSession
      self.setsCookie = setsCookie
      self.isFile = isFile
    }
  }
}
