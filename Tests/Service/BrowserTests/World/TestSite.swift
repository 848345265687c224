// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyPages
import PasskeyProfiles
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeySystem
import PasskeyTestSupport
import WebAuthnRelyingParty
import WebAuthnTypes

/// A site at `https://raxx.app` for a browser of this machine: the endpoints of a service over TLS, and pages of the test.
final class TestSite: Sendable {
  /// How a site is set up.
  struct Settings {
    var profile = ServiceProfile.raxx
    var policy: (inout ServicePolicy) -> Void = { _ in }
    var ceremonies: (inout CeremonyPolicy) -> Void = { _ in }
    var documents = WellKnownDocuments()
    /// The origins that may use the passkeys.
    var origins = ["https://raxx.app"]
    /// The name of the service.
    var name = "Raxx"
    /// The store; nil for one of its own.
    var storage: DatabaseStorage?
    var pages: [String: SitePage] = [:]
    /// Where a sign-in may lead back to.
    var returnTargets: [SiteAccess.ReturnTarget] = []
    var routes: @Sendable (Endpoints) throws -> [EndpointRoute] = { _ in [] }
    /// The settings of a browser that runs for this test alone; nil for the one that tests share.
    var browser: BrowserSettings?
  }

  let service: AuthService
  let endpoints: Endpoints
  let clock = SiteClock()
  private let server: HTTPServer
  private let answered: Locked<[AnsweredRequest]>

  /// A request that the site has answered.
  struct AnsweredRequest: Equatable, Sendable {
    let path: String
    /// Whether it carried the cookie of a session.
    let hasSession: Bool
    let status: Int
  }

  /// The certificate of all sites in this run of the tests.
  private static let certificate = Task { () -> (TestCertificate, TemporaryFolder) in
    let folder = try TemporaryFolder()
    return (try await .make(for: hosts, in: folder), folder)
  }

  /// The hosts that show the pages.
  private static let hosts = ["raxx.app", "*.raxx.app", "raxx.example", "stranger.example"]

  /// Starts a site and a browser that knows it, runs `body`, and stops both.
  static func run(
    _ configure: (inout Settings) -> Void = { _ in }, _ body: (TestSite, Browser) async throws -> Void
  ) async throws {
    var settings = Settings()
    configure(&settings)
    let certificate = try await certificate.value.0
    guard var own = settings.browser else { return try await runShared(settings, certificate, body) }
    let site = try TestSite(settings, certificate)
    own.trustedKeys = [certificate.trustedKey]
    own.routes = hosts.map { BrowserSettings.Route(host: $0, localPort: site.server.port) }
    do {
      try await Browser.run(own) { try await body(site, $0) }
      await site.stop()
    } catch {
      await site.stop()
      throw error
    }
  }

  /// Starts a site and a Firefox that knows it, runs `body`, and stops both.
  static func runInFirefox(
    _ configure: (inout Settings) -> Void, _ body: (TestSite, Firefox) async throws -> Void
  ) async throws {
    var settings = Settings()
    configure(&settings)
    let certificate = try await certificate.value.0
    let site = try TestSite(settings, certificate)
    do {
      try await Firefox.run("raxx.app", at: site.server.port, trusting: certificate.certificatePath) {
        try await body(site, $0)
      }
      await site.stop()
    } catch {
      await site.stop()
      throw error
    }
  }

  /// Runs a site at the port where the shared browser looks for it. A failed test ends the browser.
  private static func runShared(
    _ settings: Settings, _ certificate: TestCertificate, _ body: (TestSite, Browser) async throws -> Void
  ) async throws {
    var shared = SharedBrowser.take()
    let site: TestSite
    if let idle = shared, let there = try? TestSite(settings, certificate, port: idle.port) {
      site = there
    } else {
      // Another program may have taken the port.
      try? await shared?.browser.close()
      shared = nil
      site = try TestSite(settings, certificate)
    }
    do {
      if shared == nil {
        shared = try await .start(hosts, at: site.server.port, trusting: [certificate.trustedKey])
      }
      if let shared {
        try await body(site, shared.browser)
        try await shared.giveBack()
      }
      await site.stop()
    } catch {
      try? await shared?.browser.close()
      await site.stop()
      throw error
    }
  }

  private init(_ settings: Settings, _ certificate: TestCertificate, port: UInt16 = 0) throws {
    let profile = settings.profile
    var policy = profile.servicePolicy
    settings.policy(&policy)
    var ceremonies = CeremonyPolicy()
    profile.apply(to: &ceremonies)
    settings.ceremonies(&ceremonies)
    let id = try RelyingPartyID("raxx.app")
    service = try AuthService(
      relyingParty: RelyingParty(
        id: id, name: settings.name, origins: settings.origins.map { try WebOrigin($0) }, policy: ceremonies),
      storage: settings.storage ?? SQLiteStorage.temporary(),
      decoys: DecoyCredentials(key: SecretBytes(try RandomSource.system.bytes(32)), for: id), policy: policy)
    var limits = Endpoints.Limits()
    limits.perAddress = RateLimit(burst: 1 << 20, then: .microseconds(1))
    limits.perAccount = limits.perAddress
    let clock = clock
    var site = try SiteAccess(for: service)
    site.returnTargets = settings.returnTargets
    endpoints = Endpoints(
      service: service, profile: profile, documents: settings.documents, limits: limits, site: site,
      clock: Endpoints.Clock(time: { _ in clock.now }, instant: { clock.instant }))
    let pages = settings.pages.map { (path, page) in EndpointRoute(.get, path) { (_) in page.response } }
    let icon = EndpointRoute(.get, "/favicon.ico") { (_) in .noContent }
    let own = try settings.routes(endpoints)
    let router = try EndpointRouter(
      endpoints.routes + PageScript.routes + pages + [icon] + own, errors: endpoints.errors)
    let crossOrigin = endpoints.crossOriginPolicy
    let answered = Locked<[AnsweredRequest]>([])
    self.answered = answered
    // The time of the site; browsers read it as well as that of RFC 9110.
    let respond = { @Sendable (request: EndpointRequest) async -> EndpointResponse in
      var response = await crossOrigin.respond(to: request) { await router.respond(to: $0) }
      response.headers.set("date", clock.now.description)
      let cookies = request.headers["cookie"] ?? ""
      let entry = AnsweredRequest(
        path: request.target.path, hasSession: cookies.contains(".session="), status: response.status.rawValue)
      answered.withLock { $0.append(entry) }
      return response
    }
    let files = TLSFiles(certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
    server = try HTTPServer(HTTPServerConfiguration(port: port, tls: files), handler: respond)
  }

  /// The requests that the site has answered so far.
  var answeredRequests: [AnsweredRequest] { answered.withLock { $0 } }

  /// Stops the server, as a crash does.
  func stop() async {
    await server.stop(within: .zero)
  }
}
