// SPDX-License-Identifier: Apache-2.0

import Passkeys
import Synchronization

/// A request whose route answers with what it received, so that a test sees that an adapter loses nothing.
struct Echoed {
  let method = "POST"
  let target = "/echo/a%20b?c=d"
  let host = "api.raxx.app"
  let headers = [
    ("content-type", "application/json"), ("origin", "https://raxx.app"), ("x-twice", "1"), ("x-twice", "2"),
  ]
  let body = #"{"text":"hey"}"#

  static let sample = Echoed()
  static let client = "203.0.113.7"
  static let cookies = ["one=1; Path=/; HttpOnly; SameSite=Lax", "two=2; Path=/; HttpOnly; SameSite=Lax"]

  /// Targets that scanners send: a malformed percent escape, a path to the parent, and NUL.
  static let malformedTargets = ["/a%zz", "/../x", "/%00"]

  /// A body that is longer than the library takes.
  static let largeBody = [UInt8](repeating: 0x20, count: EndpointRequest.maximumBodyLength + 1)

  /// The body of the route's response.
  var answer: String {
    [method, "a b", "d", host, "application/json", "1, 2", Self.client, body].joined(separator: "\n")
  }

  static func service() async throws -> AuthService {
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
    let service = try AuthService(
      relyingParty: relyingParty, storage: SQLiteStorage.temporary(),
      decoys: DecoyCredentials(key: RandomSource.system.secret(32), for: relyingParty.id))
    try await service.claimStore(at: .now)
    return service
  }

  static func responder(_ log: Lines, adding routes: [EndpointRoute] = []) async throws -> EndpointResponder {
    try EndpointResponder(Endpoints(service: try await service()), adding: [route] + routes) { log.add("\($0)") }
  }

  private static let route = EndpointRoute(.post, "/echo/{name}") { (request) in
    let received = [
      request.method.rawValue, request.parameters["name"], request.target.queryValue("c"), request.headers["host"],
      request.headers["content-type"], request.headers["x-twice"], "\(request.client)",
      String(decoding: request.body, as: UTF8.self),
    ]
    let text = received.map { $0 ?? "-" }.joined(separator: "\n")
    var response = EndpointResponse(.created, contentType: "text/plain", body: [UInt8](text.utf8))
    for (name, value) in [("one", "1"), ("two", "2")] {
      if let cookie = EndpointCookie(name, value, isSecure: false) { response.set(cookie) }
    }
    return response
  }
}

/// A log.
final class Lines: Sendable {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}
