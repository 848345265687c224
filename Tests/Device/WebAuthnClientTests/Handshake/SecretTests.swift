// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyProfiles
import Testing
import WebAuthnTypes

@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// No description, dump or error contains a token, a cookie or a grant.
struct SecretTests {
  private static let secrets = ["tok-12345", "ref-12345", "sid-12345", "grant-12345", "pass-12345"]

  private static let jar =
    CookieJar(lines: ["#HttpOnly_raxx.app\tFALSE\t/\tTRUE\t0\tyapt.sid\tsid-12345"]) ?? CookieJar()

  private static func session(_ address: String) throws -> ServerSession {
    ServerSession(
      server: try ServerAddress(address), profile: "raxx", user: "ada@example.org", expiry: nil, renewalExpiry: nil,
      token: SecretBytes(utf8: "tok-12345"), refreshToken: SecretBytes(utf8: "ref-12345"), cookies: jar)
  }

  private func shown(_ value: some Any) -> String {
    var text = "\(value) \(String(reflecting: value)) \(String(describing: Optional(value)))"
    dump(value, to: &text)
    return text
  }

  @Test func `No description contains a secret`() throws {
    var request = ServerRequest("POST", "/orders?token=tok-12345", body: Array("tok-12345".utf8))
    request.headers = [HeaderField("passkey-step-up", "grant-12345")]
    request.bearer = SecretBytes(utf8: "tok-12345")
    request.cookies = Self.jar
    let reply = ServerReply(
      status: 200, headers: [HeaderField("set-cookie", "sid-12345")], body: Array("tok-12345".utf8), cookies: Self.jar)
    let demand = StepUpDemand(method: "POST", path: "/orders", body: Array("{}".utf8)[...])
    let grant = StepUpGrant(demand: demand, expiry: nil, token: SecretBytes(utf8: "grant-12345"))
    var settings = HTTPSettings()
    settings.proxy = "http://me:pass-12345@proxy.example"
    let session = try Self.session("https://raxx.app")
    let verification = AddressVerification(
      server: session.server, profile: "raxx", user: "ada", address: "ada@raxx.app", expiry: nil,
      token: SecretBytes(utf8: Self.secrets[0]))
    let values: [Any] = [
      request, reply, grant, session, Self.jar, settings, request.headers[0], RequestOutcome.answered(reply),
      RequestOutcome.needsStepUp(demand, reply), HTTPSession(server: session.server, settings: settings),
      [session], (session, grant), try PasskeyOwner().handshake(.raxx, at: "https://raxx.app"),
      RegisteredAccount(
        account: ServerAccount(ShapeValues(), of: nil), credential: try .init([1][...]),
        session: session, isPending: false, verification: verification), verification,
    ]
    for value in values {
      let text = shown(value)
      for secret in Self.secrets { #expect(!text.contains(secret), "\(type(of: value)): \(text)") }
    }
    // The session does contain them.
    let file = String(decoding: session.json, as: UTF8.self)
    for secret in ["tok-12345", "ref-12345", "sid-12345"] { #expect(file.contains(secret)) }
  }

  @Test func `No error contains a secret`() async throws {
    var errors: [ClientError] = []
    func note(_ body: () async throws(ClientError) -> Void) async {
      do throws(ClientError) { try await body() } catch { errors.append(error) }
    }
    var faults = NetworkFaultTests.cases.map { ($0.fault, $0.settings) }
    for reply in [
      Fault.answer("403 Forbidden", #"{"code":"order.refused","title":"No"}"#), .answer("500 Oh", "<html>"),
      .answer("200 OK", "garbage"),
    ] {
      faults.append((reply, HTTPSettings()))
    }
    for (fault, settings) in faults {
      let server = try FaultServer(fault)
      var session = try Self.session(server.address)
      let handshake = Handshake(
        profile: .raxx, http: HTTPSession(server: session.server, settings: settings),
        client: try PasskeyOwner().client)
      await note { () throws(ClientError) in _ = try await handshake.whoAmI(in: &session) }
      await note { () throws(ClientError) in try await handshake.refresh(&session) }
      #expect(
        server.requests.contains { $0.contains("tok-12345") } && server.requests.contains { $0.contains("ref-12345") })
    }
    var session = try Self.session("https://raxx.app")
    let other = try PasskeyOwner().handshake(.raxx, at: "https://nothing.invalid")
    await note { () throws(ClientError) in _ = try await other.whoAmI(in: &session) }
    await note { () throws(ClientError) in _ = try ServerSession(json: session.json.dropLast(3)) }
    await note { () throws(ClientError) in
      var request = ServerRequest("POST", "/x?tok-12345", headers: [HeaderField("x", "tok-12345\r\n")])
      request.bearer = SecretBytes(utf8: "tok-12345")
      _ = try await other.http.send(request)
    }
    #expect(errors.count == faults.count * 2 + 3)
    for error in errors {
      let text = shown(error)
      for secret in Self.secrets { #expect(!text.contains(secret), "\(text)") }
    }
  }
}
