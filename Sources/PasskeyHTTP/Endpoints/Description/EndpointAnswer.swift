// SPDX-License-Identifier: Apache-2.0

extension Endpoint {
  /// What success is answered with.
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

    /// Whether it tells until when somebody is signed in; nil where that follows from who may ask.
    var tellsSession: Presence?

    /// Whether it sets a cookie, where tokens travel in cookies.
    var setsCookie = Presence.never

    /// Whether browsers are to keep it as a file.
    var isFile = false

    /// An answer with a body of JSON.
    static func ok(
      _ shape: Shape, tellsSession: Presence? = nil, setsCookie: Presence = .never, isFile: Bool = false
    ) -> Answer {
      Answer(.ok, .json(shape), tellsSession: tellsSession, setsCookie: setsCookie, isFile: isFile)
    }

    /// An answer without a body.
    static let noContent = noContent(setsCookie: .never)

    /// An answer without a body.
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
