// SPDX-License-Identifier: Apache-2.0

// The code of PasskeyTesting.md for the sign-in service.

import Testing

// [shown]
import PasskeyTesting
import Passkeys

func browser(on router: EndpointRouter, at origin: String) throws -> TestBrowser {
  try TestBrowser(origin: origin) { (request) in
    var headers = EndpointHeaders()
    for field in request.headers { headers.add(field.name, field.value) }
    let response = await router.respond(
      to: EndpointRequest(
        method: EndpointMethod(rawValue: request.method), target: try RequestTarget(request.path.utf8),
        headers: headers, body: request.body, receivedAt: .now))
    return TestBrowser.Reply(
      status: response.status.rawValue, headers: response.headers.fields.map { ($0.name, $0.value) },
      body: response.body)
  }
}
// [until here]

@Test func `the article's browser registers, signs in and confirms at the service`() async throws {
  let relyingParty = try RelyingParty(
    id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
  let service = try AuthService(
    relyingParty: relyingParty, storage: SQLiteStorage.temporary(),
    decoys: DecoyCredentials(key: RandomSource.system.secret(32), for: relyingParty.id))
  try await service.claimStore(at: .now)
  let endpoints = Endpoints(service: service)
  let browser = try browser(on: EndpointRouter(endpoints.routes), at: "https://raxx.app")

  let registered = try await browser.register(#"{"email":"ada@raxx.app"}"#)
  #expect(registered.status == 200)
  let signedIn = try await browser.signIn()
  #expect(signedIn.status == 200)
  browser.bearer = signedIn.text("token")
  #expect(try await browser.send("GET", "/api/auth/me").status == 200)
  #expect(try await browser.send("GET", "/api/account/export").status == 401)
  #expect(try await browser.confirm("GET", "/api/account/export").status == 200)
}
