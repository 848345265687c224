// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import Testing

/// The whole life of an account with the profile Raxx, with the built program.
struct ProfileTests {
  @Test func `Raxx: sign up, sign in, confirm, sign out, erase`() async throws {
    let place = try await ServerPlace(.sqlite(), ["--profile", "raxx"])
    let server = try await ServerProcess.start(place)
    let line = Line(to: server.port)
    let ada = try Client(at: server.port, Ledger())
    let first = try await ada.signUp()
    let token = try await ada.signIn()
    let me = try await line.ask("GET", "/api/auth/me", fields: Client.fields(token)).expect(200)
    #expect(try me["account", "email"] == ada.email)
    #expect(me.header("session-expires-at") != nil)
    try await ada.addPasskey(token)
    let passkeys = try await line.ask("GET", "/api/auth/credentials", fields: Client.fields(token)).expect(200)
    #expect(try passkeys.count("credentials") == 2)
    try await line.ask("POST", "/api/devices/apns", #"{"token":"abc"}"#, fields: Client.fields(token)).expect(200)
    try await line.ask("DELETE", "/api/auth/sessions?others=true", fields: Client.fields(token)).expect(200)
    try await line.ask("GET", "/api/auth/me", fields: Client.fields(first)).expect(401, "session.unknown")
    try await line.ask("DELETE", "/api/account", fields: Client.fields(token)).expect(401, "step-up.required")
    try await line.ask("GET", "/api/account/export", fields: Client.fields(token)).expect(401, "step-up.required")
    try await ada.signOut(token)
    try await line.ask("GET", "/api/auth/me", fields: Client.fields(token)).expect(401, "session.unknown")
    #expect(try await server.stop() == 0)
    try await place.verifyAudit()
  }
}
