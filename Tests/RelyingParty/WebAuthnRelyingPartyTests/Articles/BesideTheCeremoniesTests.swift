// SPDX-License-Identifier: Apache-2.0

import Testing

// [shown]
import WebAuthnRelyingParty
// [until here]

@Suite struct BesideTheCeremoniesTests {
  private let now = CeremonyWorld.now

  /// An empty store.
  private struct EmptyStore {
    func account(named name: String) -> (user: UserHandle, credentials: [CredentialDescriptor])? { nil }
  }

  @Test func `an unknown name gets options like others`() throws {
    let relyingParty = try CeremonyWorld().relyingParty()
    let key = SecretBytes([UInt8](repeating: 3, count: 32)[...])
    let store = EmptyStore()
    // [shown]
    let decoys = try DecoyCredentials(key: key, for: relyingParty.id)
    let user = try decoys.identification(for: "ada@example.org", known: store.account(named: "ada@example.org"))
    let begun = try relyingParty.beginAuthentication(of: user, at: now)
    // [until here]
    #expect(!begun.options.allowCredentials.isEmpty)
    #expect(try PendingAuthentication(taken: begun.pending.bytes).bytes == begun.pending.bytes)
  }

  @Test func `the origins in the published documents are accepted`() throws {
    let fingerprint = [String](repeating: "AB", count: 32).joined(separator: ":")
    // [shown]
    let sites = try RelatedOrigins(
      [WebOrigin("https://raxx.app"), WebOrigin("https://raxx.co.uk"), WebOrigin("https://www.raxx.example")],
      registeredDomains: ["raxx.app", "raxx.co.uk", "raxx.example"])
    let apple = AppleAppSiteAssociation(applications: [
      try AppleAppSiteAssociation.Application(teamID: "A1B2C3D4E5", bundleID: "app.raxx.ios")
    ])
    let android = try DigitalAssetLinks.Application(packageName: "app.raxx.android", fingerprints: [fingerprint])
    let links = try DigitalAssetLinks(applications: [android])
    let endpoints = try PasskeyEndpoints(enroll: "https://raxx.app/passkeys/new", manage: "https://raxx.app/passkeys")
    // [until here]
    for document in [sites.json, apple.json, links.json, endpoints.json] {
      #expect(try JSON.parse(document[...]).offset == 0)
    }
    #expect(
      [RelatedOrigins.path, AppleAppSiteAssociation.path, DigitalAssetLinks.path, PasskeyEndpoints.path] == [
        "/.well-known/webauthn", "/.well-known/apple-app-site-association", "/.well-known/assetlinks.json",
        "/.well-known/passkey-endpoints",
      ])
    // [shown]
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: sites.origins + android.origins)
    // [until here]
    #expect(relyingParty.origins.count == 4)
  }

  @Test func `signals name deleted credentials`() throws {
    let world = try CeremonyWorld()
    let (relyingParty, stored) = (try world.relyingParty(), try world.credential())
    let response = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 16))).authentication()
    let user = UserEntity(id: world.user, name: "ada@example.org", displayName: "Ada")
    // [shown]
    let unknown = relyingParty.unknownCredentialSignal(for: response)
    let accepted = try relyingParty.acceptedCredentialsSignal(of: stored.user, credentials: [stored])
    let renamed = relyingParty.userDetailsSignal(of: user)
    // [until here]
    #expect(try UnknownCredentialSignal(json: unknown.json).credentialID == response.id)
    #expect(try AcceptedCredentialsSignal(json: accepted.json).credentialIDs == [stored.record.id])
    #expect(try UserDetailsSignal(json: renamed.json).user == user)
  }

  @Test func `credentials move to another store`() throws {
    let world = try CeremonyWorld()
    let (relyingParty, stored) = (try world.relyingParty(), try world.register().credential)
    var lines: [String] = []
    func log(_ line: String) { lines.append(line) }
    // [shown]
    let document = CredentialExport([stored]).json
    let imported = try CredentialImport(json: document, for: relyingParty.id)
    for refusal in imported.refused {
      log("credential \(refusal.index): \(refusal.error)")
    }
    // [until here]
    #expect(imported.credentials == [stored])
    #expect(lines.isEmpty)
  }
}
