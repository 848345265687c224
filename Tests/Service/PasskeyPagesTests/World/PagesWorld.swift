// SPDX-License-Identifier: Apache-2.0

import PasskeyPages
import Passkeys

/// A router with the pages of a service, which answers requests without a server.
struct PagesWorld {
  let pages: SitePages
  private let router: EndpointRouter

  init(
    _ profile: ServiceProfile = .raxx, name: String = "Raxx", replacing files: [String: [UInt8]] = [:],
    links: PageLinks = PageLinks(), adding added: [AddedPage] = [], embeddingOrigins: [String] = [],
    showsFaults: Bool = true,
    _ policy: (inout ServicePolicy) -> Void = { _ in }
  ) throws {
    var servicePolicy = profile.servicePolicy
    policy(&servicePolicy)
    let id = try RelyingPartyID("raxx.app")
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: name, origins: [WebOrigin("https://raxx.app")]),
      storage: try SQLiteStorage.temporary(),
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id),
      policy: servicePolicy)
    var limits = Endpoints.Limits()
    limits.perAddress = RateLimit(burst: 1 << 20, then: .microseconds(1))
    limits.perAccount = limits.perAddress
    let endpoints = Endpoints(service: service, profile: profile, limits: limits)
    pages = try SitePages(
      for: endpoints, replacing: files, links: links, adding: added,
      embeddingOrigins: embeddingOrigins.map { try WebOrigin($0) },
      showsFaults: showsFaults)
    router = try EndpointRouter(
      endpoints.routes + PageScript.routes + pages.routes, errors: endpoints.errors,
      notFound: pages.response(toUnknown:))
  }

  /// Sends a GET request.
  func get(
    _ target: String, _ fields: [String: String] = [:], isEncrypted: Bool = true
  ) async throws -> EndpointResponse {
    var headers = EndpointHeaders()
    for (name, value) in fields { headers.set(name, value) }
    return await router.respond(
      to: EndpointRequest(
        method: .get, target: try RequestTarget(target.utf8), headers: headers, isEncrypted: isEncrypted,
        receivedAt: UnixTime(secondsSince1970: 1_800_000_000)))
  }

  /// Sends JSON.
  func post(_ target: String, _ json: [UInt8]) async throws -> EndpointResponse {
    var headers = EndpointHeaders()
    headers.set("content-type", "application/json")
    return await router.respond(
      to: EndpointRequest(
        method: .post, target: try RequestTarget(target.utf8), headers: headers, body: json, isEncrypted: true,
        receivedAt: UnixTime(secondsSince1970: 1_800_000_000)))
  }

  /// Returns the text of a page or a file.
  func text(_ target: String, _ fields: [String: String] = [:]) async throws -> String {
    String(decoding: try await get(target, fields).body, as: UTF8.self)
  }

  /// The paths of the pages.
  static let pagePaths = ["/", "/about-passkeys", "/account", "/confirm", "/admin", "/faults"]

  /// The paths of the files that pages load, in one language.
  func filePaths(_ language: String = "en") -> [String] {
    pages.routes.map(\.pattern).filter { $0.hasPrefix("/pages/") && $0.contains("/\(language)/") }
  }

  /// The path of a file that pages load.
  func path(_ name: String, _ language: String = "en") -> String {
    filePaths(language).first { $0.hasSuffix("/\(name)") } ?? name
  }
}
