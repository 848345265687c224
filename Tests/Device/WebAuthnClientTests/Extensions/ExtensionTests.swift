// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnAuthenticator
@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// Every extension, from the relying party's request to its verification.
struct ExtensionTests {
  private func verifiedWorld(
    _ reach: Reach = .inProcess, prepare: (inout DeviceState) throws -> Void = { _ in }
  ) throws -> World {
    try World(reach, pin: "1234", interaction: TestInteraction(pins: ["1234"]), prepare: prepare)
  }

  @Test(arguments: Reach.allCases)
  func `prf gives the same output at registration and every sign-in`(_ reach: Reach) async throws {
    let world = try verifiedWorld(reach)
    let values = PRFValues(first: [1, 2, 3], second: [4])
    let registered = try await world.register(extensions: [.prf(evaluating: values)]).result
    let made = try #require(registered.extensions.fromClient.prf)
    #expect(made.isEnabled == true)
    let results = try #require(made.results)
    #expect(results.first.count == 32 && results.first != results.second)
    let signedIn = try await world.signIn(registered.credential, extensions: [.prf(evaluating: values)]).result
    #expect(signedIn.extensions.fromClient.prf?.results == results)
    #expect(signedIn.extensions.fromClient.prf?.isEnabled == nil)
    let swapped = PRFValues(first: [4], second: [1, 2, 3])
    let other = try await world.signIn(registered.credential, extensions: [.prf(evaluating: swapped)]).result
    #expect(other.extensions.fromClient.prf?.results?.first == results.second)
    #expect(other.extensions.fromClient.prf?.results?.second == results.first)
  }

  @Test func `prf is hmac-secret of the hash of a prefix and the input`() async throws {
    let world = try verifiedWorld()
    let registered = try await world.register(extensions: [.prf()]).result
    #expect(registered.extensions.fromClient.prf == PRFOutputs(isEnabled: true))
    let result = try await world.signIn(
      registered.credential, extensions: [.prf(evaluating: PRFValues(first: [9]))]
    ).result.extensions.fromClient.prf?.results?.first
    let secrets = try #require(try world.vault.read().passkeys.first?.extensionSecrets)
    let salt = Digest.sha256(([UInt8]("WebAuthn PRF".utf8) + [0, 9])[...])
    // The secret of verified users, though verification was not requested.
    #expect(result == HMAC.tag(of: salt[...], key: secrets.withVerification))
  }

  @Test func `prf without user verification differs from the authenticator's raw output`() async throws {
    let world = try verifiedWorld(.inProcess)
    let registered = try await world.register(extensions: [.prf()]).result
    // The device was asked to verify the user but reports that it did not.
    let forgetful = RewritingAuthenticator(world.device) { (command, reply) throws(CTAPError) in
      guard command == .getAssertion, let made = try? GetAssertionReply(parsing: reply) else { return reply }
      var data = [UInt8](made.authenticatorData.encoded)
      data[32] &= ~0x04
      guard let changed = try? AuthenticatorData(parsing: data[...]) else { return reply }
      return GetAssertionReply(
        credential: made.credential, authenticatorData: changed, signature: made.signature, user: made.user
      ).encoded
    }
    let client = Client(
      origin: world.client.origin, authenticator: forgetful, interaction: world.interaction)
    var options = try world.requestOptions()
    options.userVerification = .preferred
    options.allowCredentials = [registered.credential.record.descriptor]
    options.extensions = ["prf": ["eval": ["first": "CQ"]]]
    let response = try await client.get(options)
    #expect(try AuthenticationClientOutputs(response.clientExtensionResults).prf == PRFOutputs())
  }

  @Test func `prf gives no output if the user cannot be verified`() async throws {
    let world = try World()
    let registered = try await world.register(extensions: [.prf(evaluating: PRFValues(first: [9]))]).result
    #expect(registered.extensions.fromClient.prf == PRFOutputs(isEnabled: true))
    let signedIn = try await world.signIn(
      registered.credential, extensions: [.prf(evaluating: PRFValues(first: [9]))]
    ).result
    #expect(signedIn.extensions.fromClient.prf == PRFOutputs())
  }

  @Test(arguments: Reach.allCases)
  func `prf by credential evaluates the input of the credential that signs`(_ reach: Reach) async throws {
    let world = try verifiedWorld(reach)
    let first = try await world.register(extensions: [.prf()]).result.credential
    let second = try await world.register(
      UserEntity(id: UserHandle([9]), name: "bo", displayName: ""), extensions: [.prf()]
    ).result.credential
    func results(
      _ list: [StoredCredential], _ byCredential: [CredentialID: PRFValues], otherwise: PRFValues? = nil
    ) async throws -> (CredentialID, PRFValues?) {
      let response = try await world.client.get(
        world.requestOptions { (options) in
          options.allowCredentials = list.map(\.record.descriptor)
          options.extensions = ClientExtensions([
            AuthenticationExtension.prf(byCredential: byCredential, otherwise: otherwise)
          ])
        })
      return (response.id, try AuthenticationClientOutputs(response.clientExtensionResults).prf?.results)
    }
    let values = PRFValues(first: [1])
    let plain = try await results([second], [:], otherwise: values)
    #expect(plain.1 != nil)
    let named = try await results(
      [second, first], [second.record.id: values, first.record.id: PRFValues(first: [2])])
    #expect(named.0 == second.record.id && named.1 == plain.1)
    let otherwise = try await results([second, first], [first.record.id: PRFValues(first: [2])], otherwise: values)
    #expect(otherwise.1 == plain.1)
    let none = try await results([second, first], [first.record.id: PRFValues(first: [2])])
    #expect(none.1 == nil)
  }

  @Test(arguments: [
    (#"{"prf":{"evalByCredential":{}}}"#, "create", ClientError.Code.extensionNotSupported),
    (#"{"prf":{"eval":{}}}"#, "create", .optionsInvalid),
    (#"{"prf":{"eval":{"first":"!"}}}"#, "create", .optionsNotBase64URL),
    (#"{"prf":7}"#, "create", .optionsInvalid),
    (#"{"largeBlob":{"read":true}}"#, "create", .extensionNotSupported),
    (#"{"largeBlob":{"write":"AAAA"}}"#, "create", .extensionNotSupported),
    (#"{"credentialProtectionPolicy":"unheard"}"#, "create", .optionsInvalid),
    (#"{"prf":{"evalByCredential":{"AQ":{"first":"AA"}}}}"#, "discoverable", .extensionNotSupported),
    (#"{"prf":{"evalByCredential":{"AQ":{"first":"AA"}}}}"#, "named", .extensionInvalid),
    (#"{"prf":{"evalByCredential":{"":{"first":"AA"}}}}"#, "named", .extensionInvalid),
    (#"{"prf":{"evalByCredential":{"!":{"first":"AA"}}}}"#, "named", .extensionInvalid),
    (#"{"largeBlob":{"support":"required"}}"#, "named", .extensionNotSupported),
    (#"{"largeBlob":{"read":true,"write":"AAAA"}}"#, "named", .extensionNotSupported),
    (#"{"largeBlob":{"read":false,"write":"AAAA"}}"#, "named", .extensionNotSupported),
    (#"{"largeBlob":{"write":"AAAA"}}"#, "discoverable", .extensionNotSupported),
    (#"{"hmacGetSecret":{"salt1":"AA"}}"#, "named", .optionsInvalid),
  ])
  func `invalid inputs are refused`(
    _ json: String, _ ceremony: String, _ code: ClientError.Code
  ) async throws {
    let world = try World()
    let extensions = try ClientExtensions(json: [UInt8](json.utf8)[...])
    let error = try await failure {
      if ceremony == "create" {
        _ = try await world.client.create(world.creationOptions { (options) in options.extensions = extensions })
      } else {
        _ = try await world.client.get(
          world.requestOptions { (options) in
            options.extensions = extensions
            if ceremony == "named" { options.allowCredentials = [CredentialDescriptor(id: try CredentialID([2]))] }
          })
      }
    }
    #expect(error?.code == code)
    let names: [ClientError.Code: String] = [
      .extensionInvalid: "SyntaxError", .extensionNotSupported: "NotSupportedError",
      .optionsNotBase64URL: "EncodingError",
    ]
    #expect(error?.domName == names[code] ?? "TypeError")
  }

  @Test(arguments: Reach.allCases)
  func `a large blob is written, read and overwritten`(_ reach: Reach) async throws {
    let world = try verifiedWorld(reach)
    let first = try await world.register(extensions: [.largeBlob(support: .required)]).result
    let second = try await world.register(
      UserEntity(id: UserHandle([9]), name: "bo", displayName: ""), extensions: [.largeBlob(support: .preferred)]
    ).result
    #expect(first.extensions.fromClient.largeBlob?.isSupported == true)
    #expect(second.extensions.fromClient.largeBlob?.isSupported == true)
    func access(_ credential: StoredCredential, _ access: LargeBlobAccess) async throws -> LargeBlobOutputs? {
      try await world.signIn(credential, isNamed: true, extensions: [.largeBlob(access)])
        .result.extensions.fromClient.largeBlob
    }
    #expect(try await access(first.credential, .read) == LargeBlobOutputs())
    let long = (0..<9000).map { (index) in UInt8(truncatingIfNeeded: index &* index >> 3) }
    #expect(try await access(first.credential, .write(long)) == LargeBlobOutputs(isWritten: true))
    #expect(try await access(second.credential, .write([1, 2, 3])) == LargeBlobOutputs(isWritten: true))
    #expect(try await access(first.credential, .read) == LargeBlobOutputs(blob: long))
    #expect(try await access(second.credential, .read) == LargeBlobOutputs(blob: [1, 2, 3]))
    #expect(try await access(first.credential, .write([])) == LargeBlobOutputs(isWritten: true))
    #expect(try await access(first.credential, .read) == LargeBlobOutputs(blob: []))
    #expect(try await access(second.credential, .read) == LargeBlobOutputs(blob: [1, 2, 3]))
    // Data that exceed the space are not written, and the existing data remain.
    let random = try RandomSource.system.bytes(20_000)
    #expect(try await access(second.credential, .write(random)) == LargeBlobOutputs(isWritten: false))
    #expect(try await access(second.credential, .read) == LargeBlobOutputs(blob: [1, 2, 3]))
  }

  @Test func `a large blob needs no PIN on a device without one`() async throws {
    let world = try World()
    let credential = try await world.register(extensions: [.largeBlob(support: .required)]).result.credential
    let written = try await world.signIn(credential, isNamed: true, extensions: [.largeBlob(.write([5]))]).result
    #expect(written.extensions.fromClient.largeBlob?.isWritten == true)
    let read = try await world.signIn(credential, extensions: [.largeBlob(.read)]).result
    #expect(read.extensions.fromClient.largeBlob?.blob == [5])
  }

  @Test func `a corrupt large-blob array counts as empty`() async throws {
    let world = try World()
    let credential = try await world.register(extensions: [.largeBlob(support: .required)]).result.credential
    for array in [[], [0x80], [0x81, 0x01] + [UInt8](repeating: 0, count: 16)] as [[UInt8]] {
      try world.vault.update { (state) in state.largeBlobArray = array }
      let read = try await world.signIn(credential, extensions: [.largeBlob(.read)]).result
      #expect(read.extensions.fromClient.largeBlob == LargeBlobOutputs())
    }
    let written = try await world.signIn(credential, isNamed: true, extensions: [.largeBlob(.write([5]))]).result
    #expect(written.extensions.fromClient.largeBlob?.isWritten == true)
  }

  /// Arrays with a valid checksum: a map whose keys are neither text nor numbers, and an indefinite-length array.
  @Test(arguments: [[0x81, 0xa1, 0x40, 0x01], [0x9f, 0x01, 0xff]] as [[UInt8]])
  func `unknown entries of others stay byte for byte`(_ foreign: [UInt8]) async throws {
    let world = try World()
    let credential = try await world.register(extensions: [.largeBlob(support: .required)]).result.credential
    let before = LargeBlobArray.withChecksum(foreign[...])
    try world.vault.update { (state) in state.largeBlobArray = before }
    let written = try await world.signIn(credential, isNamed: true, extensions: [.largeBlob(.write([5]))]).result
    let after = try #require(try world.vault.read().largeBlobArray)
    if written.extensions.fromClient.largeBlob?.isWritten == true {
      #expect(after.dropFirst().starts(with: foreign.dropFirst()))
    } else {
      #expect(after == before)
    }
  }

  @Test func `entries of others do not change`() async throws {
    let world = try World()
    let credential = try await world.register(extensions: [.largeBlob(support: .required)]).result.credential
    let strange: CBORTree = .array([
      1, "text", [:], [1: .bytes([]), 2: .bytes([]), 3: 0],
      [1: .bytes([UInt8](repeating: 1, count: 40)), 2: .bytes([UInt8](repeating: 1, count: 12)), 3: .unsigned(.max)],
    ])
    let bytes = CBORWriter.bytes(of: strange)
    try world.vault.update { (state) in state.largeBlobArray = LargeBlobArray.withChecksum(bytes[...]) }
    _ = try await world.signIn(credential, isNamed: true, extensions: [.largeBlob(.write([5]))])
    let array = try #require(try world.vault.read().largeBlobArray)
    let entries = try CBORValue(parsing: array.dropLast(16), rules: .canonical).array.map { (entry) in CBORTree(entry) }
    guard case .array(let before) = strange else { return }
    #expect(Array(entries.prefix(before.count)) == before)
    #expect(entries.count == before.count + 1)
  }

  @Test func `only discoverable credentials have large blobs`() async throws {
    let world = try World(policy: { (policy) in policy.residentKey = .discouraged })
    let error = try await failure { try await world.register(extensions: [.largeBlob(support: .required)]) }
    #expect(error?.code == .authenticatorUnsuitable)
    let made = try await world.register(extensions: [.largeBlob(support: .preferred)]).result
    #expect(made.extensions.fromClient.largeBlob == LargeBlobOutputs(isSupported: false))
    let read = try await world.signIn(made.credential, isNamed: true, extensions: [.largeBlob(.read)]).result
    #expect(read.extensions.fromClient.largeBlob == LargeBlobOutputs())
  }

  @Test(arguments: RegistrationExtension.CredentialProtection.allCases)
  func `a credential is protected as requested`(_ policy: RegistrationExtension.CredentialProtection) async throws {
    let world = try verifiedWorld()
    let made = try await world.register(extensions: [.credentialProtection(policy, enforce: true)]).result
    #expect(made.extensions.fromAuthenticator.credProtect == policy)
  }

  @Test func `a device without credProtect creates no credential if it is required`() async throws {
    let world = try World()
    let device = RewritingAuthenticator(world.device) { (command, reply) in
      guard command == .getInfo, var info = try? AuthenticatorInfo(parsing: reply) else { return reply }
      info.extensions = []
      return info.encoded
    }
    let client = Client(origin: world.client.origin, authenticator: device, interaction: world.interaction)
    for (policy, isEnforced, code) in [
      (
        RegistrationExtension.CredentialProtection.userVerificationRequired, true,
        ClientError.Code.authenticatorUnsuitable
      ),
      (.userVerificationRequired, false, nil), (.userVerificationOptional, true, nil),
    ] {
      let options = world.creationOptions { (options) in
        options.extensions = ClientExtensions([
          RegistrationExtension.credentialProtection(policy, enforce: isEnforced)
        ])
      }
      #expect(try await failure { try await client.create(options) }?.code == code)
    }
    // The other extensions send nothing to the device and report that they are unsupported.
    let options = world.creationOptions { (options) in
      options.authenticatorSelection.residentKey = .required
      options.extensions = ClientExtensions([
        RegistrationExtension.prf(evaluating: PRFValues(first: [1])), .largeBlob(support: .preferred), .credBlob([1]),
        .minPinLength, .hmacCreateSecret, .uvm, .other("unheard", ["of": true]),
      ])
    }
    let response = try await client.create(options)
    let outputs = try RegistrationClientOutputs(response.clientExtensionResults)
    #expect(outputs.prf == PRFOutputs(isEnabled: false))
    #expect(outputs.largeBlob == LargeBlobOutputs(isSupported: false))
    #expect(outputs.credBlob == false)
    #expect(outputs.hmacCreateSecret == false)
    #expect(response.clientExtensionResults["unheard"] == nil && response.clientExtensionResults["uvm"] == nil)
    #expect(try AttestationObject(parsing: response.attestationObject).authenticatorData.extensions == nil)
  }

  @Test(arguments: Reach.allCases)
  func `a small blob is stored and returned`(_ reach: Reach) async throws {
    let world = try World(reach)
    let made = try await world.register(extensions: [.credBlob([7, 8])]).result
    #expect(made.extensions.fromClient.credBlob == true)
    let signedIn = try await world.signIn(made.credential, extensions: [.getCredBlob]).result
    #expect(signedIn.extensions.fromClient.getCredBlob == [7, 8])
    #expect(signedIn.extensions.fromAuthenticator.credBlob == [7, 8])
    let tooLong = try await world.register(extensions: [.credBlob([UInt8](repeating: 1, count: 33))]).result
    #expect(tooLong.extensions.fromClient.credBlob == false)
    #expect(tooLong.extensions.fromAuthenticator.credBlob == nil)
  }

  @Test func `a permitted relying party receives the minimum PIN length`() async throws {
    let world = try verifiedWorld { (state) in state.settings.minimumPINLengthReaders = ["raxx.app"] }
    let made = try await world.register(extensions: [.minPinLength, .pinComplexityPolicy]).result
    #expect(made.extensions.fromAuthenticator.minPinLength == 4)
    #expect(made.extensions.fromAuthenticator.pinComplexityPolicy == false)
    let stranger = try verifiedWorld()
    let silent = try await stranger.register(extensions: [.minPinLength]).result
    #expect(silent.extensions.fromAuthenticator.minPinLength == nil)
  }

  @Test(arguments: Reach.allCases)
  func `hmac-secret salts are passed on unchanged`(_ reach: Reach) async throws {
    let world = try verifiedWorld(reach)
    let salts = try HMACSecretSalts(salt1: [UInt8](repeating: 1, count: 32), salt2: [UInt8](repeating: 2, count: 32))
    let made = try await world.register(extensions: [.hmacCreateSecret(evaluating: salts)]).result
    let outputs = try #require(made.extensions.fromClient.hmacGetSecret)
    #expect(made.extensions.fromClient.hmacCreateSecret == true)
    let signedIn = try await world.signIn(made.credential, extensions: [.hmacGetSecret(salts)]) { (options) in
      options.userVerification = .preferred
    }.result
    #expect(signedIn.extensions.fromClient.hmacGetSecret == outputs)
  }
}
