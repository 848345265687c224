// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of Vapor 4, as far as Documentation/Integrations/Vapor.md uses them. They let our tests
// compile and run the page's code.

internal import Foundation

package struct HTTPStatus: Hashable, Sendable {
  package let code: Int

  package static let ok = HTTPStatus(code: 200)
  package static let noContent = HTTPStatus(code: 204)
  package static let unauthorized = HTTPStatus(code: 401)
}

package struct Abort: Error {
  package let status: HTTPStatus

  package init(_ status: HTTPStatus) {
    self.status = status
  }
}

package struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
  package let fields: [String: String]

  package init(dictionaryLiteral elements: (String, String)...) {
    fields = Dictionary(elements) { (_, last) in last }
  }
}

package struct Response: Sendable {
  package struct Body: Sendable {
    package let string: String

    package init(string: String) {
      self.string = string
    }
  }

  package let status: HTTPStatus
  package let headers: HTTPHeaders
  package let body: Body

  package init(status: HTTPStatus, headers: HTTPHeaders, body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

package protocol AsyncResponseEncodable: Sendable {
  func encodeResponse() -> Response
}

extension Response: AsyncResponseEncodable {
  package func encodeResponse() -> Response { self }
}

extension HTTPStatus: AsyncResponseEncodable {
  package func encodeResponse() -> Response { Response(status: self, headers: [:], body: .init(string: "")) }
}

package protocol Authenticatable: Sendable {}

/// One thread at a time uses a request here, so that nothing needs a lock.
package final class Session {
  package var data: [String: String] = [:]

  package init() {}
}

package struct Request {
  package struct Content {
    fileprivate let body: String

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try JSONDecoder().decode(type, from: Data(body.utf8))
    }
  }

  package struct Authentication {
    fileprivate let user: (any Authenticatable)?

    package func require<User: Authenticatable>(_ type: User.Type = User.self) throws -> User {
      guard let user = user as? User else { throw Abort(.unauthorized) }
      return user
    }
  }

  package let content: Content
  package let auth: Authentication
  package let session: Session

  package init(body: String, user: (any Authenticatable)?, session: Session) {
    content = Content(body: body)
    auth = Authentication(user: user)
    self.session = session
  }
}

package typealias RouteClosure = (Request) async throws -> any AsyncResponseEncodable

package protocol RoutesBuilder: AnyObject {
  func on(_ path: [String], use closure: @escaping RouteClosure)
}

extension RoutesBuilder {
  package func grouped(_ path: String...) -> any RoutesBuilder { RouteGroup(path, in: self) }

  package func post<Encodable: AsyncResponseEncodable>(
    _ path: String..., use closure: @escaping (Request) async throws -> Encodable
  ) {
    on(path) { try await closure($0) }
  }
}

private final class RouteGroup: RoutesBuilder {
  private let path: [String]
  private let root: any RoutesBuilder

  init(_ path: [String], in root: any RoutesBuilder) {
    self.path = path
    self.root = root
  }

  func on(_ path: [String], use closure: @escaping RouteClosure) { root.on(self.path + path, use: closure) }
}

package protocol RouteCollection {
  func boot(routes: any RoutesBuilder) throws
}

package final class Application: RoutesBuilder {
  private var routes: [String: RouteClosure] = [:]

  package init() {}

  package func on(_ path: [String], use closure: @escaping RouteClosure) {
    routes[path.joined(separator: "/")] = closure
  }

  package func register(collection: some RouteCollection) throws { try collection.boot(routes: self) }

  /// Answers a request as Vapor's responder does; nil if no route has this path.
  package func respond(to request: Request, at path: String) async throws -> Response? {
    do { return try await routes[path]?(request).encodeResponse() } catch let abort as Abort {
      return abort.status.encodeResponse()
    }
  }
}
