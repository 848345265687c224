// SPDX-License-Identifier: Apache-2.0

import Passkeys

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

  /// A body that is longer than the pages allow.
  static let largeBody = [UInt8](repeating: 0x20, count: 65_537)

  static let errors = ErrorResponses(ServiceProfile.raxx.errors)

  /// The body of the route's response.
  var answer: String {
    [method, "a b", "d", host, "application/json", "1, 2", Self.client, body].joined(separator: "\n")
  }

  static func router() throws -> EndpointRouter {
    try EndpointRouter([route("/echo/{name}"), route("/api/echo/{name}")])
  }

  private static func route(_ path: String) -> EndpointRoute {
    EndpointRoute(.post, path) { (request) in
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
}
