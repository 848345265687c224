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

struct CreationCeremonyTests {
  @Test(arguments: Reach.allCases)
  func `a relying party accepts what the client creates`(_ reach: Reach) async throws {
    let world = try World(reach)
    let (registered, response) = try await world.register()
    let (signedIn, _) = try await world.signIn(registered.credential)
    #expect(signedIn.user == world.user.id)
    #expect(response.authenticatorAttachment == .crossPlatform)
    #expect(response.transports == [.usb])
    #expect(response.clientExtensionResults.isEmpty)
  }

  @Test func `the copies equal the attestation object's values`() async throws {
    for algorithm in [COSEAlgorithm.es256, .eddsa] where supportedAlgorithms.contains(algorithm) {
      let world = try World(policy: { (policy) in policy.algorithms = [algorithm] })
      let response = try await world.register().response
      let object = try AttestationObject(parsing: response.attestationObject)
      let credential = try #require(object.authenticatorData.attestedCredentialData)
      let key = try COSEKey(parsing: credential.credentialPublicKey)
      #expect(response.copies.authenticatorData == object.authenticatorData.encoded)
      #expect(response.copies.publicKey == (try key.subjectPublicKeyInfo)[...])
      #expect(response.copies.publicKeyAlgorithm == algorithm)
      #expect(response.id.bytes[...] == credential.credentialID)
    }
  }

  @Test(arguments: ["", "AQ"])
  func `a short challenge is returned unchanged`(_ challenge: String) async throws {
    let world = try World()
    let text = #"{"rp":{"name":"Raxx"},"user":{"id":"AQ","name":"a","displayName":""},"challenge":"\#(challenge)""#
    let options = try CreationOptions(json: [UInt8]((text + #","pubKeyCredParams":[]}"#).utf8)[...])
    let made = try await world.client.create(options)
    #expect(try Base64URL.encode(ClientData(parsing: made.clientDataJSON).challenge) == challenge)
  }

  @Test func `an RP ID that is not a domain is refused`() throws {
    let text = #"{"challenge":"AQ","rpId":"no domain"}"#
    let fault = #expect(throws: FormatError.self) { try RequestOptions(json: [UInt8](text.utf8)[...]) }
    let error = ClientError(options: try #require(fault))
    #expect(error.code == .originNotAllowed)
    #expect(error.domName == "SecurityError")
  }

  @Test func `client data describe the caller's page`() async throws {
    let world = try World()
    let plain = try ClientData(parsing: try await world.client.create(world.creationOptions()).clientDataJSON)
    #expect((plain.type, plain.origin, plain.crossOrigin) == (.create, "https://raxx.app", false))
    #expect(plain.topOrigin == nil)
    let framed = Client(
      origin: world.client.origin, authenticator: world.device, interaction: world.interaction,
      topOrigin: try WebOrigin("https://shop.example"))
    let made = try await world.client.create(world.creationOptions())
    let request = world.requestOptions { (options) in options.allowCredentials = [CredentialDescriptor(id: made.id)] }
    let data = try ClientData(parsing: await framed.get(request).clientDataJSON)
    #expect((data.type, data.crossOrigin, data.topOrigin) == (.get, true, "https://shop.example"))
  }

  @Test func `without algorithms, ES256 and RS256 are offered`() async throws {
    let world = try World()
    let options = world.creationOptions { (options) in options.credentialParameters = [] }
    #expect(try await world.client.create(options).copies.publicKeyAlgorithm == .es256)
  }

  @Test func `unknown credential types are skipped, and refused if alone`() async throws {
    let world = try World()
    let unknown = CredentialParameters(type: CredentialType(rawValue: "quantum-key"), algorithm: .es256)
    let error = try await failure {
      try await world.client.create(world.creationOptions { (options) in options.credentialParameters = [unknown] })
    }
    #expect(error?.code == .noSupportedParameters)
    #expect(error?.domName == "NotSupportedError")
    let both = world.creationOptions { (options) in
      options.credentialParameters = [unknown, CredentialParameters(algorithm: .eddsa)]
    }
    #expect(try await world.client.create(both).copies.publicKeyAlgorithm == .eddsa)
  }

  @Test func `an algorithm that the device lacks is unsupported`() async throws {
    let world = try World(profile: .only([.es256]))
    let error = try await failure {
      try await world.client.create(
        world.creationOptions { (options) in
          options.credentialParameters = [CredentialParameters(algorithm: .rs256)]
        })
    }
    #expect(error?.code == .algorithmUnsupported)
    #expect(error?.domName == "NotSupportedError")
  }

  @Test(arguments: Reach.allCases)
  func `an excluded credential is reported after the user agrees`(_ reach: Reach) async throws {
    let world = try World(reach)
    let first = try await world.register().result.credential
    let error = try await failure { try await world.register(excluding: [first.record.descriptor]) }
    #expect(error?.code == .credentialExcluded)
    #expect(error?.domName == "InvalidStateError")
    let stranger = CredentialDescriptor(id: try CredentialID([9, 9, 9]))
    _ = try await world.register(excluding: [stranger])
  }

  @Test func `an excluded credential is found in a list of any length`() async throws {
    let world = try World()
    let first = try await world.register().result.credential
    var list = try (0..<100).map { (number) in CredentialDescriptor(id: try CredentialID([1, 2, UInt8(number)])) }
    // A credential of another user: another one of the same user would replace the first.
    _ = try await world.register(UserEntity(id: UserHandle([8]), name: "bo", displayName: ""), excluding: list)
    list.append(CredentialDescriptor(id: try CredentialID([UInt8](repeating: 7, count: 1023))))
    list.insert(first.record.descriptor, at: 77)
    let error = try await failure { try await world.register(excluding: list) }
    #expect(error?.code == .credentialExcluded)
  }

  @Test func `the device matches the requested attachment or is refused`() async throws {
    let key = try World()
    let provider = try World(profile: .passkeyProvider)
    for (world, attachment) in [(key, AuthenticatorAttachment.crossPlatform), (provider, .platform)] {
      for asked in [AuthenticatorAttachment.crossPlatform, .platform] {
        let options = world.creationOptions { (options) in
          options.authenticatorSelection.authenticatorAttachment = asked
        }
        let error = try await failure { try await world.client.create(options) }
        #expect(error?.code == (asked == attachment ? nil : .authenticatorUnsuitable))
      }
    }
  }

  @Test func `a credential is discoverable if required, or if preferred and possible`() async throws {
    for (asked, isStored) in [
      (ResidentKeyRequirement.required, true), (.preferred, true), (.discouraged, false),
    ] {
      let world = try World()
      let options = world.creationOptions { (options) in
        options.authenticatorSelection.residentKey = asked
        options.extensions = ClientExtensions([RegistrationExtension.credProps])
      }
      let response = try await world.client.create(options)
      #expect(try RegistrationClientOutputs(response.clientExtensionResults).credProps?.isDiscoverable == isStored)
      // The other credential is sealed in its ID and takes no space in the vault.
      #expect(try world.vault.read().passkeys.map(\.isDiscoverable) == (isStored ? [true] : []))
    }
  }

  @Test func `required user verification fails on a device without any`() async throws {
    let world = try World()
    let options = world.creationOptions { (options) in options.authenticatorSelection.userVerification = .required }
    let error = try await failure { try await world.client.create(options) }
    #expect(error?.code == .userVerificationUnsupported)
    #expect(error?.domName == "ConstraintError")
    let preferred = world.creationOptions { (options) in options.authenticatorSelection.userVerification = .preferred }
    #expect(try await world.client.create(preferred).flags.contains(.userVerified) == false)
  }

  @Test func `a user's refusal cannot be told from other failures`() async throws {
    let world = try World(touch: AutomaticInteraction.never)
    let error = try await failure { try await world.client.create(world.creationOptions()) }
    #expect(error?.code == .notAllowed)
    #expect(error?.domName == "NotAllowedError")
    #expect(try world.vault.read().passkeys.isEmpty)
  }

  @Test func `an attestation that was not requested is removed`() async throws {
    let authority = try TestAttestationAuthority()
    let profile = AuthenticatorProfile.securityKey.withBatchAttestation(
      by: try authority.batch(of: .passkeySoftware),
      enterprise: try authority.enterprise(of: .passkeySoftware, device: "serial 7"))
    let world = try World(profile: profile) { (state) in state.settings.allowsEnterpriseAttestation = true }
    for (asked, format) in [
      (AttestationConveyancePreference.none, AttestationFormat.none), (.indirect, .packed), (.direct, .packed),
      (.enterprise, .packed), (AttestationConveyancePreference(rawValue: "unheard"), .none),
    ] {
      let response = try await world.client.create(world.creationOptions { (options) in options.attestation = asked })
      let object = try AttestationObject(parsing: response.attestationObject)
      #expect(object.format == format)
      #expect(try object.statement.map.isEmpty == (format == .none))
      #expect(object.authenticatorData.attestedCredentialData?.aaguid == .passkeySoftware)
    }
  }

  @Test func `self attestation without a model becomes the format none`() async throws {
    var profile = AuthenticatorProfile.securityKey
    profile.aaguid = .zero
    // This device lists no attestation formats, so it cannot honor a request for none, and the client decides.
    let device = RewritingAuthenticator(try World(profile: profile).device) { (command, reply) in
      guard command == .getInfo, var info = try? AuthenticatorInfo(parsing: reply) else { return reply }
      info.attestationFormats = []
      return info.encoded
    }
    let world = try World()
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    let object = try AttestationObject(parsing: await client.create(world.creationOptions()).attestationObject)
    #expect(object.format == .packed)
  }

  @Test func `an enterprise attestation is sent if the machine's administrator permits it`() async throws {
    let authority = try TestAttestationAuthority()
    let profile = AuthenticatorProfile.securityKey.withBatchAttestation(
      by: try authority.batch(of: .passkeySoftware),
      enterprise: try authority.enterprise(of: .passkeySoftware, device: "serial 7"))
    for isTrusted in [true, false] {
      var policy = ClientPolicy()
      if isTrusted { policy.enterpriseRelyingParties = [try RelyingPartyID("raxx.app")] }
      let world = try World(profile: profile, clientPolicy: policy) { (state) in
        state.settings.allowsEnterpriseAttestation = true
      }
      let options = world.creationOptions { (options) in options.attestation = .enterprise }
      let object = try AttestationObject(parsing: await world.client.create(options).attestationObject)
      let certificate = try #require(try object.statement.map[.text("x5c")]?.array.first(where: { _ in true })?.bytes)
      #expect(String(decoding: certificate, as: UTF8.self).contains("serial 7") == isTrusted)
    }
  }

  @Test func `unknown values are treated as missing`() async throws {
    let world = try World(pin: "1234", interaction: TestInteraction(pins: ["1234"]))
    let creation = world.creationOptions { (options) in
      options.authenticatorSelection = AuthenticatorSelection(
        authenticatorAttachment: AuthenticatorAttachment(rawValue: "orbital"),
        residentKey: ResidentKeyRequirement(rawValue: "perhaps"),
        userVerification: UserVerificationRequirement(rawValue: "thrice"))
      options.hints = [PublicKeyCredentialHint(rawValue: "crystal-ball")]
      options.attestation = AttestationConveyancePreference(rawValue: "sworn")
      options.extensions = ["largeBlob": ["support": "unheard"], "prf": .null]
    }
    let made = try await world.client.create(creation)
    // An unknown value means `preferred`, and the device has a PIN.
    #expect(try made.flags.contains(.userVerified))
    #expect(try AttestationObject(parsing: made.attestationObject).format == .none)
    #expect(try RegistrationClientOutputs(made.clientExtensionResults).largeBlob?.isSupported == false)
    let request = world.requestOptions { (options) in
      options.userVerification = UserVerificationRequirement(rawValue: "thrice")
      options.allowCredentials = [
        CredentialDescriptor(id: made.id, transports: [AuthenticatorTransport(rawValue: "pigeon")])
      ]
    }
    let data = try AuthenticatorData(parsing: await world.client.get(request).authenticatorData)
    #expect(data.flags.contains(.userVerified))
  }

  @Test func `transports are sorted without duplicates`() async throws {
    var profile = AuthenticatorProfile.securityKey
    profile.transports = [.usb, .nfc, .usb, .ble]
    let world = try World(profile: profile)
    #expect(try await world.client.create(world.creationOptions()).transports == [.ble, .nfc, .usb])
  }
}

extension RegistrationResponse {
  /// The authenticator flags in the response.
  var flags: AuthenticatorFlags {
    get throws { try AttestationObject(parsing: attestationObject).authenticatorData.flags }
  }
}

extension AuthenticatorProfile {
  /// A security key that supports only these algorithms.
  static func only(_ algorithms: [COSEAlgorithm]) -> Self {
    var profile = Self.securityKey
    profile.algorithms = algorithms
    return profile
  }
}
