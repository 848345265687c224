// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyHTTP

/// Exercises every successful request of each profile and compares it with the description.
struct ProfileTourTests {
  /// The Raxx profile, with cookies instead of bearer tokens.
  private static let withCookies: ServiceProfile = {
    var profile = ServiceProfile.raxx
    profile.sessions.deliveries = [.cookie]
    profile.sessions.cookie.name = "raxx"
    return profile
  }()

  @Test(arguments: [("raxx", false), ("raxx", true)], [false, true])
  func `every success matches its description`(profile: (name: String, hasCookies: Bool), renews: Bool) async throws {
    let named = try #require(ServiceProfile.builtIn.first { $0.name == profile.name })
    let observed = ObservedResponses()
    let world = try EndpointWorld(
      profile.hasCookies ? Self.withCookies : named, documents: Scenarios.allDocuments(), observed: observed
    ) {
      $0.signUp = .approval
      Scenarios.wantingEverything(&$0)
      $0.sessions.renewal = renews ? .init() : nil
    }
    try await Scenarios.tour(world)
    let mailing = try EndpointWorld(profile.hasCookies ? Self.withCookies : named, observed: observed) {
      $0.signUp = .approval
      Scenarios.mailing(&$0, .required, recovery: .email(waiting: .seconds(3_600)))
    }
    try await Scenarios.mailTour(mailing)
    let described = Set(
      world.endpoints.served.flatMap { (endpoint, contract) in
        endpoint.answers.map {
          ObservedResponses.Pair(endpoint: endpoint.name, status: $0.status(contract).rawValue)
        }
      }
    ).filter { renews || $0.endpoint != .refresh }
    #expect(described.subtracting(observed.all).map(\.description).sorted() == [])
  }
}

extension Scenarios {
  static func allDocuments() throws -> WellKnownDocuments {
    var documents = WellKnownDocuments()
    let origin = try WebOrigin("https://raxx.app")
    documents.relatedOrigins = try RelatedOrigins([origin], registeredDomains: ["raxx.app"])
    documents.appleAppSiteAssociation = try AppleAppSiteAssociation(
      applications: [AppleAppSiteAssociation.Application(teamID: "ABCDE12345", bundleID: "app.raxx")])
    let fingerprint = try CertificateFingerprint([UInt8](repeating: 7, count: 32))
    documents.digitalAssetLinks = try DigitalAssetLinks(
      applications: [DigitalAssetLinks.Application(packageName: "app.raxx", fingerprints: [fingerprint.description])],
      sites: [origin])
    documents.passkeyEndpoints = try PasskeyEndpoints(
      enroll: "https://raxx.app/new", manage: "https://raxx.app/passkeys", prfUsageDetails: "https://raxx.app/prf")
    documents.script = WellKnownDocuments.ScriptReference(path: "/passkey-1.js", integrity: "sha384-AAAA")
    return documents
  }

  static func tour(_ world: EndpointWorld) async throws {
    let root = try await Visitor.administrator(world)
    var ada = try Visitor(world, "ada@example.org")
    ada.take(try await ada.signUp().expect(202))
    let page = try await root.ask("GET", try world.path(.users) + "?limit=1").expect(200)
    try await root.ask("GET", try world.path(.users) + "?after=\(page["next"])").expect(200)
    try await root.askConfirmed(.approveUser, ada.id).expect(200)
    try await administering(ada, root)

    ada.take(try await ada.signIn().expect(200))
    try await ada.ask(.me).expect(200)
    try await world.send("GET", world.path(.me), nil, [("Passkey-Session", "optional")]).expect(204)
    try await ada.ask(.credentials).expect(200)
    try await ada.ask(.credential, ada.credential).expect(200)
    try await ada.ask(.renameCredential, ada.credential, #"{"name":"Desk"}"#).expect(200)
    let added = try await Person().create(ada.additionOptions().body)
    let credential = try await ada.ask(.registerVerify, "", #"{"credential":\#(added),"name":"Phone"}"#).expect(200)
    try await ada.askConfirmed(.deleteCredential, credential["credential", "id"]).expect(204)
    let stolen = try await Person().create(ada.additionOptions().body)
    let second = try await ada.ask(.registerVerify, "", #"{"credential":\#(stolen),"name":"Stolen"}"#).expect(200)
    let path = try world.path(.deleteUserCredential, ada.id, credential: second["credential", "id"])
    try await root.askConfirmed("DELETE", path).expect(204)
    let third = try await Person().create(ada.askConfirmed(.addCredentialOptions).expect(200).body)
    try await ada.ask(.addCredentialVerify, "", third).expect(200)
    let verification = try await ada.ask(.reverifyOptions).expect(200)
    try await ada.ask(.reverifyVerify, "", ada.person.get(verification.body)).expect(200)
    try await ada.ask(.setPreferences, "", #"{"reports":true}"#).expect(200)
    try await ada.ask(.preferences).expect(200)
    try await root.ask(.changes).expect(200)
    try await root.ask(.outbox).expect(200)
    try await root.askConfirmed(.retryOutbox, "", #"{"destination":"webhook:crm"}"#).expect(200)
    try await root.askConfirmed(.dropOutbox, "", #"{"dead":true}"#).expect(200)
    let eve = try await Visitor(world, "eve@example.org").signUp().expect(202)["account", "id"]
    try await root.askConfirmed(.rejectUser, eve).expect(200)
    try await root.ask(.user, eve).expect(200)
    let ben = try await Visitor(world, "ben@example.org").signUp().expect(202)["account", "id"]
    try await root.askConfirmed(.approveUsers, "", #"{"ids":["\#(ben)"]}"#).expect(200)
    try await ada.ask(.registerDevice, "", #"{"token":"0123abcd","service":"fcm"}"#).expect(200)
    try await ada.askConfirmed(.exportAccount).expect(200)
    try await ada.ask(.eraseDevice, "", #"{"token":"0123abcd","service":"fcm"}"#).expect(204)
    try await ada.ask(.registerDevice, "", #"{"token":"4567abcd","service":"fcm"}"#).expect(200)
    let devices = try await ada.ask(.devices).expect(200)
    for device in try JSON.parse(devices.body).require("devices").array {
      try await ada.ask(.revokeDevice, device.require("id").string).expect(204)
    }
    try await sessions(ofTraveller: &ada)
    try await ada.askConfirmed(.eraseAccount).expect(204)
    for name: EndpointName in [
      .health, .readiness, .metrics, .openAPI, .relatedOrigins, .appleAppSiteAssociation, .digitalAssetLinks,
      .passkeyEndpoints,
    ] {
      try await world.send("GET", world.path(name)).expect(200)
      try await world.send("HEAD", world.path(name)).expect(200)
    }
  }

  private static func administering(_ ada: Visitor, _ root: Visitor) async throws {
    try await root.askConfirmed(.disableUser, ada.id).expect(200)
    try await root.askConfirmed(.enableUser, ada.id).expect(200)
    try await root.askConfirmed(.setRoles, ada.id, #"{"roles":["trader"]}"#).expect(200)
    try await root.askConfirmed(.inviteUser, "new", #"{"roles":["trader"]}"#).expect(200)
    try await root.askConfirmed(.recoverUser, ada.id).expect(200)
    let added = try await root.ask(.userCredentials, ada.id).expect(200)
    #expect(try added.count("credentials") == 1)
    try await root.ask(.revokeUserSessions, ada.id).expect(200)
  }

  private static func sessions(ofTraveller ada: inout Visitor) async throws {
    let world = ada.world
    var elsewhere = ada
    (elsewhere.token, elsewhere.cookies) = (nil, CookieJar())
    elsewhere.take(try await elsewhere.signIn().expect(200))
    try await ada.ask(.sessions).expect(200)
    try await ada.ask(.revokeSession, elsewhere.ask(.me).expect(200)["session", "id"]).expect(204)
    try await ada.ask("DELETE", try world.path(.revokeSessions) + "?others=true").expect(200)
    world.pass(800)
    let me = try await ada.ask(.me).expect(200)
    #expect(me.header("session-expires-in") == "100")
    try await ada.ask(.signOut).expect(204)
    (ada.token, ada.cookies) = (nil, CookieJar())
    let opened = try await ada.signIn().expect(200)
    ada.take(opened)
    guard world.service.policy.sessions.renewal != nil else { return }
    let body = try? #"{"refreshToken":"\#(opened["refreshToken"])"}"#
    ada.take(try await ada.ask(.refresh, "", body).expect(200))
  }
}
