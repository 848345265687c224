// SPDX-License-Identifier: Apache-2.0

import PasskeyProfiles
import PasskeyService
import Testing

@testable import PasskeyHTTP

/// A client that sends requests to the endpoints directly, from any address.
struct DirectClient: Sendable {
  let world: EndpointWorld
  private let router: EndpointRouter
  var address: IPAddress
  var fields: [(String, String)] = []

  init(_ world: EndpointWorld, at address: IPAddress) throws {
    (self.world, self.address) = (world, address)
    router = try EndpointRouter(world.endpoints.routes)
  }

  func ask(
    _ name: EndpointName, _ body: String
  ) async throws -> (status: Int, body: String, headers: EndpointHeaders) {
    var headers = EndpointHeaders()
    headers.add("content-type", "application/json")
    headers.add("origin", "https://raxx.app")
    for (name, value) in fields { headers.add(name, value) }
    let answer = await router.respond(
      to: EndpointRequest(
        method: EndpointMethod(rawValue: try world.method(name)), target: try RequestTarget(world.path(name).utf8),
        headers: headers, body: Array(body.utf8), peer: address, receivedAt: world.console.time))
    return (answer.status.rawValue, String(decoding: answer.body, as: UTF8.self), answer.headers)
  }

  /// Stores the cookies of a response.
  mutating func take(_ headers: EndpointHeaders) {
    for field in headers.values("set-cookie") { fields.append(("Cookie", String(field.prefix { $0 != ";" }))) }
  }
}

extension String {
  /// Returns the first member of a JSON text that has this name and a string as its value.
  func member(_ name: String) throws -> String {
    let start = try #require(firstRange(of: "\"\(name)\":\"")).upperBound
    return String(self[start...].prefix { $0 != "\"" })
  }
}
