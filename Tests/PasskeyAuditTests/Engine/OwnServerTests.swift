// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyService
import PasskeyStorage
import ServiceProfiles
import SystemCrypto
import Testing
import WebAuthnClient
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

@testable import PasskeyAudit

/// The checks of ceremonies against the project's own server, in each of its profiles.
struct OwnServerTests {
  private static let now = Timestamp(secondsSince1970: 1_800_000_000)

  /// The checks that cannot judge a profile.
  private static let unknown: [String: Set<String>] = [
    // The time-out is five minutes.
    "raxx": ["state.expiry"],
    // User verification is preferred, and sessions need no step-up.
    "yapt": [
      "state.expiry", "registration.user-verification", "authentication.user-verification",
      "state.verification-downgrade",
    ],
    "aiday": ["state.expiry", "state.binding"],
  ]

  /// The failures that the profiles are designed to have.
  private static let known: [String: Set<String>] = [
    // A counter that went back and a change of BE are recorded, but the list of passkeys has no member for them.
    "yapt": ["authentication.counter-back", "authentication.backup-eligibility"]
  ]

  @Test(arguments: ServiceProfile.builtIn)
  func `our server passes the checks of ceremonies`(profile: ServiceProfile) async throws {
    let server = try Self.server(profile)
    var options = try AuditTests.options("http://127.0.0.1:\(server.port)")
    options.profile = profile
    options.origin = "https://raxx.app"
    options.relyingPartyID = "raxx.app"
    let report = try await Audit.run(options)
    await server.stop(within: .seconds(2))
    for finding in report.findings {
      switch finding.verdict {
      case .pass: continue
      case .cannotTell where Self.unknown[profile.name]?.contains(finding.id) == true: continue
      case .cannotTell where MatrixWorld.needAttestation.contains(finding.id): continue
      case .fail where Self.known[profile.name]?.contains(finding.id) == true: continue
      default:
        let statuses = finding.exchanges.map { "\($0.method) \($0.url) \($0.status ?? 0)" }
        Issue.record("\(finding.id): \(finding.verdict) \(statuses)")
      }
    }
    #expect(report.leftBehind == [])
  }

  private static func server(_ profile: ServiceProfile) throws -> HTTPServer {
    let id = try RelyingPartyID("raxx.app")
    var policy = profile.servicePolicy
    policy.signUp = .open
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [Origin("https://raxx.app")]),
      storage: MemoryStorage(),
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id), policy: policy)
    var limits = EndpointLimits()
    limits.perAddress = RateLimit(burst: 100_000, then: .seconds(1))
    limits.perAccount = limits.perAddress
    let endpoints = Endpoints(
      service: service, profile: profile, limits: limits, clock: EndpointClock(time: { _ in Self.now }))
    let router = try Router(endpoints.routes)
    return try HTTPServer(HTTPServerConfiguration()) { (request) in await router.respond(to: request) }
  }
}
