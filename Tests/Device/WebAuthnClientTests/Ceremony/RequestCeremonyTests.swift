// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnAuthenticator
@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct RequestCeremonyTests {
  @Test(arguments: Reach.allCases, [true, false])
  func `a passkey signs in, listed or not`(_ reach: Reach, isNamed: Bool) async throws {
    let world = try World(reach)
    let credential = try await world.register().result.credential
    let (signedIn, response) = try await world.signIn(credential, isNamed: isNamed)
    #expect(signedIn.credential.record.id == credential.record.id)
    #expect(response.id == credential.record.id)
    #expect(response.authenticatorAttachment == .crossPlatform)
    #expect(response.userHandle == (isNamed ? response.userHandle : world.user.id))
    #expect(response.clientExtensionResults.isEmpty)
  }

  @Test func `a listed non-discoverable credential signs in`() async throws {
    let world = try World(policy: { (policy) in policy.residentKey = .discouraged })
    let credential = try await world.register().result.credential
    _ = try await world.signIn(credential, isNamed: true)
    let error = try await failure { try await world.signIn(credential) }
    #expect(error?.code == .noCredentials)
    #expect(error?.domName == "NotAllowedError")
  }

  @Test func `the user chooses one of several passkeys`() async throws {
    for choice in 0..<3 {
      let world = try World(
        pin: "1234", interaction: TestInteraction(pins: ["1234"], choice: choice),
        policy: { (policy) in
          policy.userVerification = .required
        })
      var credentials: [StoredCredential] = []
      for (number, name) in ["ada", "bo", "cy"].enumerated() {
        let user = UserEntity(id: try UserHandle([UInt8(number)]), name: name, displayName: name.uppercased())
        credentials.append(try await world.register(user).result.credential)
      }
      let response = try await world.client.get(world.requestOptions())
      // The newest comes first.
      #expect(world.interaction.offered.map(\.name) == ["cy", "bo", "ada"])
      #expect(response.id == credentials.reversed()[choice].record.id)
      #expect(response.userHandle == credentials.reversed()[choice].user)
    }
  }

  @Test(arguments: [nil, 3, -1]) func `choosing none fails the ceremony`(_ choice: Int?) async throws {
    let world = try World(interaction: TestInteraction(choice: choice))
    for number in [1, 2] as [UInt8] {
      _ = try await world.register(UserEntity(id: UserHandle([number]), name: "x", displayName: ""))
    }
    let error = try await failure { try await world.client.get(world.requestOptions()) }
    #expect(error?.code == .noneChosen)
    #expect(error?.domName == "NotAllowedError")
  }

  @Test(arguments: Reach.allCases)
  func `a list of any length is searched`(_ reach: Reach) async throws {
    let world = try World(reach)
    let credential = try await world.register().result.credential
    var list = try (0..<100).map { (number) in CredentialDescriptor(id: try CredentialID([1, 2, UInt8(number)])) }
    list.append(CredentialDescriptor(id: try CredentialID([UInt8](repeating: 7, count: 1023))))
    let none = try await failure {
      try await world.client.get(world.requestOptions { (options) in options.allowCredentials = list })
    }
    #expect(none?.code == .noCredentials)
    list.insert(credential.record.descriptor, at: 66)
    let response = try await world.client.get(world.requestOptions { (options) in options.allowCredentials = list })
    #expect(response.id == credential.record.id)
  }

  @Test func `impossible ids are never sent`() async throws {
    let world = try World()
    let device = RewritingAuthenticator(world.device)
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let error = try await failure {
      try await client.get(
        world.requestOptions { (options) in
          options.allowCredentials = [CredentialDescriptor(id: try CredentialID([UInt8](repeating: 7, count: 500)))]
        })
    }
    #expect(error?.code == .noCredentials)
    #expect(device.count(of: .getAssertion) == 0)
  }

  @Test func `other credential types are ignored`() async throws {
    let world = try World()
    let credential = try await world.register().result.credential
    let other = CredentialDescriptor(type: CredentialType(rawValue: "quantum-key"), id: credential.record.id)
    let error = try await failure {
      try await world.client.get(world.requestOptions { (options) in options.allowCredentials = [other] })
    }
    #expect(error?.code == .noCredentials)
  }

  @Test func `a credential with credProtect 3 is found after user verification`() async throws {
    let world = try World(pin: "1234", interaction: TestInteraction(pins: ["1234"]))
    let protection = RegistrationExtension.credentialProtection(.userVerificationRequired, enforce: true)
    let credential = try await world.register(extensions: [protection]).result.credential
    var list = try (0..<50).map { (number) in CredentialDescriptor(id: try CredentialID([1, 2, UInt8(number)])) }
    list.append(credential.record.descriptor)
    let hidden = try await failure {
      try await world.client.get(
        world.requestOptions { (options) in
          options.allowCredentials = list
          options.userVerification = .discouraged
        })
    }
    #expect(hidden?.code == .noCredentials)
    let response = try await world.client.get(world.requestOptions { (options) in options.allowCredentials = list })
    #expect(response.id == credential.record.id)
  }

  @Test(arguments: Reach.allCases)
  func `a U2F credential signs in with its AppID`(_ reach: Reach) async throws {
    let world = try World(reach)
    let appID = "https://raxx.app/appid.json"
    let key = try await world.registerByU2F(for: appID)
    let options = world.requestOptions { (options) in
      options.allowCredentials = [CredentialDescriptor(id: key)]
      options.extensions = ClientExtensions([AuthenticationExtension.appID(appID)])
    }
    let response = try await world.client.get(options)
    let data = try AuthenticatorData(parsing: response.authenticatorData)
    #expect(data.relyingPartyIDHash == Digest.sha256([UInt8](appID.utf8)[...])[...])
    #expect(try AuthenticationClientOutputs(response.clientExtensionResults).appID == true)
    // A credential of the RP ID itself takes precedence.
    let credential = try await world.register().result.credential
    let both = world.requestOptions { (options) in
      options.allowCredentials = [CredentialDescriptor(id: key), credential.record.descriptor]
      options.extensions = ClientExtensions([AuthenticationExtension.appID(appID)])
    }
    let modern = try await world.client.get(both)
    #expect(modern.id == credential.record.id)
    #expect(try AuthenticationClientOutputs(modern.clientExtensionResults).appID == false)
    // Another site's AppID is refused before any device is used.
    let stranger = try await failure {
      try await world.client.get(
        world.requestOptions { (options) in
          options.extensions = ClientExtensions([AuthenticationExtension.appID("https://evil.example")])
        })
    }
    #expect(stranger?.code == .appIDNotAllowed)
    #expect(stranger?.domName == "SecurityError")
  }

  @Test func `an empty AppID is the origin`() async throws {
    let world = try World()
    let key = try await world.registerByU2F(for: "https://raxx.app")
    let options = world.requestOptions { (options) in
      options.allowCredentials = [CredentialDescriptor(id: key)]
      options.extensions = ClientExtensions([AuthenticationExtension.appID("")])
    }
    let response = try await world.client.get(options)
    #expect(try AuthenticationClientOutputs(response.clientExtensionResults).appID == true)
    let excluding = world.creationOptions { (options) in
      options.excludeCredentials = [CredentialDescriptor(id: key)]
      options.extensions = ClientExtensions([RegistrationExtension.appIDExclude("")])
    }
    #expect(try await failure { try await world.client.create(excluding) }?.code == .credentialExcluded)
  }

  @Test func `a U2F credential excludes its device`() async throws {
    let world = try World()
    let appID = "https://raxx.app/appid.json"
    let key = try await world.registerByU2F(for: appID)
    let excluded = [CredentialDescriptor(id: key)]
    let error = try await failure {
      try await world.register(excluding: excluded, extensions: [.appIDExclude(appID)])
    }
    #expect(error?.code == .credentialExcluded)
    let other = [CredentialDescriptor(id: try CredentialID([1]))]
    let made = try await world.register(excluding: other, extensions: [.appIDExclude(appID)])
    #expect(made.result.extensions.fromClient.appIDExclude == true)
    let stranger = try await failure { try await world.register(extensions: [.appIDExclude("https://evil.example")]) }
    #expect(stranger?.code == .appIDNotAllowed)
  }
}

extension World {
  /// Registers with the U2F protocol, as before WebAuthn.
  func registerByU2F(for appID: String) async throws -> CredentialID {
    let data = [UInt8](repeating: 1, count: 32) + Digest.sha256([UInt8](appID.utf8)[...])
    let reply = await device.respond(toAPDU: ([0, 1, 0, 0, 0, 0, 64] + data + [0, 0])[...])
    // 0x05, the public key, and the length-prefixed key handle.
    let handle = [UInt8](reply.dropFirst(67).prefix(Int(reply.dropFirst(66).first ?? 0)))
    return try CredentialID(handle)
  }
}
