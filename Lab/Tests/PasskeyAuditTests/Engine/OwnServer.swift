// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyProfiles
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import Raptor

/// The project's own server at a port of the loopback interface, with TLS and all documents.
struct OwnServer {
  /// The servers that the audit judges.
  enum Kind: String, CaseIterable {
    case raxx, yapt, aiday
    /// The example that embeds the service, with its own routes and tables.
    case raptor

    var profile: ServiceProfile {
      switch self {
      case .raxx, .raptor: .raxx
      case .yapt: .yapt
      case .aiday: .aiday
      }
    }
  }

  /// The origin of the pages.
  static let origin = "https://localhost"

  private let server: HTTPServer
  /// The folder of the database.
  private let folder: TemporaryFolder

  var url: String { "https://localhost:\(server.port)" }

  /// Starts a server with open registration.
  init(_ kind: Kind, _ limits: Endpoints.Limits) async throws {
    let id = try RelyingPartyID("localhost")
    var policy = kind.profile.servicePolicy
    policy.signUp = .open
    folder = try TemporaryFolder()
    let storage: DatabaseStorage =
      kind == .raptor
      ? try await SQLiteStorage.open(folder.path + "/raptor.sqlite", embedded: Book.tables)
      : try SQLiteStorage.temporary()
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin(Self.origin)]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id), policy: policy)
    try await service.claimStore(at: UnixTime(secondsSince1970: 1_800_000_000))
    let endpoints = Endpoints(
      service: service, profile: kind.profile, documents: try Self.documents(), limits: limits)
    let own = kind == .raptor ? TradingFloor(endpoints).routes : []
    let router = try EndpointRouter(endpoints.routes + own, errors: endpoints.errors)
    let crossOrigin = endpoints.crossOriginPolicy
    let tls = try await MatrixWorld.identity.value.files
    server = try HTTPServer(HTTPServerConfiguration(address: .loopback, port: 0, tls: tls)) { (request) in
      await crossOrigin.respond(to: request, by: router.respond)
    }
  }

  func stop() async { await server.stop(within: .seconds(2)) }

  private static func documents() throws -> WellKnownDocuments {
    var documents = WellKnownDocuments()
    documents.relatedOrigins = try RelatedOrigins([WebOrigin("https://yapt.app")], registeredDomains: ["yapt.app"])
    documents.appleAppSiteAssociation = try AppleAppSiteAssociation(
      applications: [AppleAppSiteAssociation.Application(teamID: "ABCDE12345", bundleID: "app.raxx")])
    let fingerprint = try CertificateFingerprint([UInt8](repeating: 7, count: 32))
    documents.digitalAssetLinks = try DigitalAssetLinks(
      applications: [DigitalAssetLinks.Application(packageName: "app.raxx", fingerprints: [fingerprint.description])])
    documents.passkeyEndpoints = try PasskeyEndpoints(manage: "https://raxx.app/passkeys")
    return documents
  }
}
