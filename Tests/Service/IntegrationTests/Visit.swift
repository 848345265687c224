// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import Passkeys
import Testing

/// A visit to an application that has a page's code: sign-up, a route for signed-in users, and one that needs a
/// confirmation.
struct Visit {
  struct Reply {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: String
  }

  typealias Send = (
    _ method: String, _ target: String, _ fields: [(name: String, value: String)], _ body: String
  ) async throws -> Reply

  let send: Send

  private func post(_ target: String, _ body: String, _ token: String? = nil) async throws -> String {
    let reply = try await send("POST", target, fields(token), body)
    try #require(reply.status == 200, "\(target): \(reply.status) \(reply.body)")
    #expect(reply.fields.contains { $0 == ("cache-control", "no-store") })
    return reply.body
  }

  private func fields(_ token: String?) -> [(name: String, value: String)] {
    [(name: "host", value: "api.raxx.app"), (name: "content-type", value: "application/json")]
      + (token.map { [(name: "authorization", value: "Bearer \($0)")] } ?? [])
  }

  func check(_ log: () -> [String]) async throws {
    // Without a session.
    #expect(try await send("GET", "/hello", fields(nil), "").status == 401)
    #expect(log().last?.hasPrefix("GET /hello: 401 session.unknown") == true)

    let person = try Person()
    let creation = try await post("/api/auth/register/options", #"{"email":"ada@example.org"}"#)
    let account = try await JSON.parse(post("/api/auth/register/verify", person.create(creation)))
    let token = try account.require("token").string
    let hello = try await send("GET", "/hello", fields(token), "")
    #expect(hello.status == 200 && hello.body == "Hello, ada@example.org")

    // Without a confirmation, with one for another body, with one, and with a spent one.
    let order = #"{"cash":1}"#
    let refused = try await send("POST", "/orders", fields(token), order)
    #expect(refused.status == 401)
    #expect(refused.fields.contains { $0.name == "www-authenticate" && $0.value.contains("insufficient_user_auth") })
    #expect(log().last?.contains("POST /orders: 401 ") == true && log().last?.contains("step-up.required") == true)
    let grant = try await confirmation(of: JSON.parse(refused.body).require("stepUp"), by: person, token)
    #expect(try await send("POST", "/orders", fields(token) + [grant], #"{"cash":2}"#).status == 401)
    let placed = try await send("POST", "/orders", fields(token) + [grant], order)
    #expect(placed.status == 200 && placed.body == "ada@example.org orders \(order)")
    #expect(try await send("POST", "/orders", fields(token) + [grant], order).status == 401)

    // A refused sign-in is logged with its exact code, which the client does not get.
    let request = try await post("/api/auth/login/options", "{}")
    let stranger = try Person()
    _ = try await stranger.create(creation)
    let failed = try await send("POST", "/api/auth/login/verify", fields(nil), stranger.get(request))
    #expect(failed.status == 401 && failed.body.contains("sign-in.refused"))
    #expect(log().last?.hasPrefix("POST /api/auth/login/verify: 401 sign-in.credential-unknown") == true)

    // Paths outside /api/auth, of the application, and unknown ones.
    #expect(try await send("GET", "/api/auth/me", fields(token), "").status == 200)
    for path in ["/healthz", "/readyz", "/openapi.json"] {
      #expect(try await send("GET", path, fields(nil), "").status == 200, "\(path)")
    }
    #expect(try await send("GET", "/none", fields(nil), "").status == 404)
  }

  private func confirmation(
    of action: JSONValue, by person: Person, _ token: String
  ) async throws -> (name: String, value: String) {
    let body = try JSON.writeObject { (object: inout JSONObjectWriter) throws in
      for name in ["method", "path", "bodySha256"] { object.write(name, .string(try action.require(name).string)) }
    }
    let begun = try await post("/api/auth/step-up/options", String(decoding: body, as: UTF8.self), token)
    let granted = try await JSON.parse(post("/api/auth/step-up/verify", person.get(begun), token))
    return (name: try granted.require("header").string, value: try granted.require("grant").string)
  }
}
