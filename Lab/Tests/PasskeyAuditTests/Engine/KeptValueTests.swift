// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeySystem
import Testing
import WebAuthnClient
import WebAuthnTypes

@testable import PasskeyAudit

/// Audits of servers that want values back, and of one that takes the ID from the authenticator data.
struct KeptValueTests {
  private static let profile = #"""
    {
      "name": "shop", "extends": "raxx",
      "values": { "csrf": { "header": "x-token", "from": "GET /csrf" }, "key": { "environment": "SHOP_KEY" } },
      "headers": { "send": { "x-csrf": "$value.csrf", "apikey": "$value.key" } },
      "shapes": { "begun": { "flow": "$ceremony.flow", "o": "$options" } },
      "endpoints": {
        "register-options": { "response": { "$shape": "begun" } },
        "register-verify": { "request": { "flow": "$ceremony.flow", "credential": { "$json": "$credential" } } },
        "sign-in-options": { "response": { "$shape": "begun" } },
        "sign-in-verify": { "request": { "flow": "$ceremony.flow", "credential": { "$json": "$credential" } } }
      }
    }
    """#

  /// A stand-in behind a gateway that wants a key, a token in each write, and the flow of a ceremony.
  private final class Gateway: Sendable {
    let refused = Locked<[String]>([])
    private let flows = Locked<Set<String>>([])
    private let stand = StandInServer(.correct).transport

    var transport: AuditTransport {
      AuditTransport { [self] (request) async throws(ClientError) in
        func field(_ name: String) -> String? { request.headers.first { $0.name == name }?.value }
        guard field("apikey") == "key-12345" else { return refuse("apikey", request) }
        if request.path == "/csrf" {
          return ServerReply(status: 200, headers: [HeaderField("x-token", "token-12345")])
        }
        guard !request.isWrite || field("x-csrf") == "token-12345" else { return refuse("x-csrf", request) }
        if request.path.hasSuffix("/verify") { return try await finish(request) }
        let reply = try await stand.send(request)
        guard reply.isSuccess, request.path.hasSuffix("/options") else { return reply }
        let flow = flows.withLock { (flows) in
          let flow = "flow-\(flows.count)-0123"
          flows.insert(flow)
          return flow
        }
        let body = #"{"flow":"\#(flow)","o":\#(String(decoding: reply.body, as: UTF8.self))}"#
        return ServerReply(status: 200, headers: reply.headers, body: Array(body.utf8), cookies: reply.cookies)
      }
    }

    private func finish(_ request: ServerRequest) async throws(ClientError) -> ServerReply {
      guard let body = try? JSON.parse(request.body, maximumSize: request.body.count),
        let flow = (try? body["flow"]?.string) ?? nil, flows.withLock({ $0.contains(flow) }),
        let credential = (try? body["credential"]?.string) ?? nil
      else { return refuse("flow", request) }
      var forwarded = request
      forwarded.body = Array(#"{"credential":\#(credential)}"#.utf8)
      return try await stand.send(forwarded)
    }

    private func refuse(_ what: String, _ request: ServerRequest) -> ServerReply {
      refused.withLock { $0.append("\(what) of \(request)") }
      return ServerReply(
        status: 400, headers: [HeaderField("content-type", "application/json")], body: Array("{}".utf8))
    }
  }

  private static func options(_ profile: ServiceProfile) throws -> AuditOptions {
    var options = AuditOptions(
      try ServerAddress(StandInServer.origin), profile, now: { UnixTime(secondsSince1970: 1_800_000_000) })
    options.erasesAccounts = false
    return options
  }

  @Test func `a server that wants keys, tokens and flows is judged like any other`() async throws {
    var profile = try ServiceProfile(json: Array(Self.profile.utf8))
    try profile.readEnvironment { _ in "key-12345" }
    let gateway = Gateway()
    let ids: Set = ["registration.challenge-other", "authentication.challenge-other", "state.assertion-replay"]
    let checks = Check.all.filter { ids.contains($0.id) }
    let report = await (try Audit(Self.options(profile), checks: checks, transport: gateway.transport)).run()
    #expect(report.unjudgedGroups == [])
    #expect(report.findings.map(\.verdict) == [.pass, .pass, .pass])
    #expect(gateway.refused.withLock { $0 } == [])
    // Neither the key nor a token is in a report.
    let texts = report.findings.flatMap(\.exchanges).flatMap { $0.requestHeaders + $0.responseHeaders }
    #expect(texts.contains { $0.hasPrefix("apikey: ") })
    #expect(!texts.contains { $0.contains("key-12345") || $0.contains("token-12345") })
  }

  @Test func `a server that stores the attested ID passes, whatever the response says`() async throws {
    let stand = StandInServer(.correct).transport
    let transport = AuditTransport { (request) async throws(ClientError) in
      guard request.path == "/api/auth/register/verify" else { return try await stand.send(request) }
      var forwarded = request
      forwarded.body = Self.withAttestedID(request.body)
      return try await stand.send(forwarded)
    }
    let checks = Check.all.filter { $0.id == "registration.id-not-attested" }
    let report = await (try Audit(Self.options(.raxx), checks: checks, transport: transport)).run()
    #expect(report.findings.map(\.verdict) == [.pass])
  }

  /// Returns the body of a registration with the ID of its authenticator data.
  private static func withAttestedID(_ body: [UInt8]) -> [UInt8] {
    guard let credential = try? JSON.parse(body, maximumSize: body.count)["credential"],
      let sent = try? credential["id"]?.string,
      let bytes = try? credential["response"]?["attestationObject"]?.base64URL,
      let attested = try? AttestationObject(parsing: bytes[...]).authenticatorData.attestedCredentialData?.credentialID
    else { return body }
    return Array(String(decoding: body, as: UTF8.self).replacing(sent, with: Base64URL.encode(attested)).utf8)
  }
}
