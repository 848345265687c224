// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// §7.1 step 28 and §7.2 step 23.
@Suite struct ExtensionChecksTests {
  var world: CeremonyWorld
  let secret = [UInt8](repeating: 5, count: 32)

  init() throws {
    world = try CeremonyWorld()
  }

  // MARK: Registration

  @Test func `requested registration outputs are typed, with their source`() throws {
    let result = try world.register(
      extensions: [
        .credProps, .prf(evaluating: PRFValues(first: [1])), .largeBlob(support: .preferred), .credBlob([1, 2]),
        .credentialProtection(.userVerificationRequired, enforce: true), .minPinLength, .pinComplexityPolicy, .uvm,
        .appIDExclude("https://raxx.app/id"), .hmacCreateSecret,
      ]
    ) {
      var outputs = RegistrationClientOutputs()
      outputs.credProps = CredentialProperties(isDiscoverable: true)
      outputs.prf = PRFOutputs(isEnabled: true, results: PRFValues(first: secret))
      outputs.largeBlob = LargeBlobOutputs(isSupported: true)
      outputs.appIDExclude = true
      $0.clientExtensions = outputs.extensions
      $0.extensions = [
        "credProtect": 3, "credBlob": true, "minPinLength": 4, "pinComplexityPolicy": true, "hmac-secret": true,
        "hmac-secret-mc": .bytes([UInt8](repeating: 0, count: 48)), "uvm": [[2, 4, 2]],
      ]
    }
    #expect(result.extensions.fromClient.credProps?.isDiscoverable == true)
    #expect(result.extensions.fromClient.prf?.isEnabled == true)
    #expect(result.extensions.fromClient.prf?.results?.first == secret)
    #expect(result.extensions.fromClient.largeBlob?.isSupported == true)
    #expect(result.extensions.fromClient.appIDExclude == true)
    #expect(result.extensions.fromAuthenticator.credProtect == .userVerificationRequired)
    #expect(result.extensions.fromAuthenticator.credBlob == true)
    #expect(result.extensions.fromAuthenticator.minPinLength == 4)
    #expect(result.extensions.fromAuthenticator.pinComplexityPolicy == true)
    #expect(result.extensions.fromAuthenticator.hmacSecret == true)
    #expect(result.extensions.fromAuthenticator.hmacSecretAtCreation?.count == 48)
    #expect(result.extensions.fromAuthenticator.uvm?.first?.method == 2)
    #expect(result.extensions.browserBoundPublicKey == nil)
    #expect(result.clientExtensionResults["credProps"]?["rk"] == true)
    #expect(result.authenticatorExtensionOutputs?.count == 7)
  }

  @Test func `unrequested registration outputs are kept without a type`() throws {
    let result = try world.register(extensions: [.credProps]) {
      $0.clientExtensions = ["credProps": ["rk": false], "prf": ["enabled": true], "example": [1]]
      $0.extensions = ["credProtect": 2]
    }
    #expect(result.extensions.fromClient.credProps?.isDiscoverable == false)
    #expect(result.extensions.fromClient.prf == nil)
    #expect(result.extensions.fromAuthenticator == RegistrationAuthenticatorOutputs())
    #expect(result.clientExtensionResults["example"] == [1])
    let map = try #require(result.authenticatorExtensionOutputs)
    #expect(
      try RegistrationAuthenticatorOutputs(map).credProtect == .userVerificationOptionalWithCredentialIDList)
    let nothing = try world.register { $0.clientExtensions = ["credProps": ["rk": false]] }
    #expect(nothing.extensions.fromClient == RegistrationClientOutputs())
    #expect(nothing.authenticatorExtensionOutputs == nil)
  }

  @Test(
    arguments: [
      ("credProps", ["rk": "yes"], "credProps.rk"), ("credProps", true, "credProps"),
      ("prf", ["enabled": true, "results": ["first": "AQID"]], "prf.results.first"),
      ("prf", ["results": [:]], "prf.results.first"), ("largeBlob", ["supported": 1], "largeBlob.supported"),
      ("uvm", [], "uvm"), ("appidExclude", "true", "appidExclude"),
    ] as [(String, ExtensionValue, String)])
  func `a malformed client output is reported, and the registration succeeds`(
    name: String, value: ExtensionValue, member: String
  ) throws {
    let result = try world.register(
      extensions: [
        .credProps, .prf(), .largeBlob(support: .preferred), .uvm, .appIDExclude("https://raxx.app/id"),
        .hmacCreateSecret,
      ]
    ) {
      $0.clientExtensions = ["hmacCreateSecret": true]
      $0.clientExtensions[name] = value
    }
    #expect(result.extensions.malformedClientOutputs.mapValues(\.member) == [name: member])
    var others = RegistrationClientOutputs()
    others.hmacCreateSecret = true
    #expect(result.extensions.fromClient == others)
    #expect(result.clientExtensionResults[name] == value)
  }

  @Test func `malformed outputs that decide a registration are refused, and unrequested ones by the policy`()
    throws
  {
    expectFailure(.registrationExtensionMalformed, step: 28) {
      try world.register(extensions: [.payment()]) { $0.clientExtensions = ["payment": true] }
    }
    expectFailure(.registrationExtensionMalformed, step: 28) {
      try world.register(extensions: [.minPinLength]) { $0.extensions = ["minPinLength": "4"] }
    }
    expectFailure(.registrationExtensionMalformed, step: 28) {
      try world.register(extensions: [.prf()]) { $0.extensions = ["hmac-secret": 1] }
    }
    let corrupt = { (device: inout TestDevice) in
      device.clientExtensions = ["prf": 1]
      device.extensions = ["credProtect": 9]
    }
    #expect(try world.register(extensions: [.credProps], corrupt).extensions.fromClient.prf == nil)
    var strict = world
    strict.policy.unrequestedExtensions = .refused
    expectFailure(.registrationExtensionNotRequested, step: 28) {
      try strict.register(extensions: [.credProps], corrupt)
    }
  }

  @Test func `the cause names the member`() throws {
    do {
      _ = try world.register(extensions: [.credentialProtection(.userVerificationRequired, enforce: true)]) {
        $0.extensions = ["credProtect": 9]
      }
      Issue.record("a protection that does not exist was accepted")
    } catch let error as CeremonyError {
      guard case .format(let cause)? = error.cause else { throw CeremonyWorld.Unexpected() }
      #expect(cause.member == "credProtect")
      #expect(cause.code == .authenticatorExtensionsInvalidMember)
    }
  }

  @Test(arguments: [
    (RegistrationExtension.CredentialProtection.userVerificationRequired, true, 2 as UInt64?, false),
    (.userVerificationRequired, true, nil, false), (.userVerificationRequired, true, 3, true),
    (.userVerificationOptionalWithCredentialIDList, true, 1, false),
    (.userVerificationOptionalWithCredentialIDList, true, 2, true),
    (.userVerificationOptionalWithCredentialIDList, true, 3, true), (.userVerificationOptional, true, nil, true),
    (.userVerificationRequired, false, 1, true), (.userVerificationRequired, false, nil, true),
  ])
  func `required protection is enforced, and other protection is reported`(
    asked: RegistrationExtension.CredentialProtection, enforce: Bool, answered: UInt64?, passes: Bool
  ) throws {
    let register = {
      try world.register(extensions: [.credentialProtection(asked, enforce: enforce)]) {
        if let answered { $0.extensions = ["credProtect": .unsigned(answered)] }
      }
    }
    if passes {
      let found = try register().extensions.fromAuthenticator.credProtect
      #expect(found.map { UInt64($0.rawValue) } == answered)
    } else {
      expectFailure(.registrationProtectionInsufficient, step: 28, register)
    }
  }

  @Test func `the browser-bound key is reported at a registration for payments`() throws {
    let key = try SigningKey.generate(.es256, random: .seeded([4], label: "browser bound key"))
    let encoded = [UInt8](key.publicKey.encoded)
    func sign(_ device: inout TestDevice, with signer: SigningKey) throws {
      var shown = ShownPayment(try ShownPayment.leastTransaction())
      shown.browserBoundPublicKey = encoded
      device.payment = shown
      var outputs = RegistrationClientOutputs()
      outputs.payment = PaymentOutputs(
        browserBoundSignature: try signer.sign(device.clientDataJSON[...], .deterministic))
      device.clientExtensions = outputs.extensions
    }
    let result = try world.register(extensions: [.payment()]) { try sign(&$0, with: key) }
    #expect(result.extensions.browserBoundPublicKey == encoded)
    #expect(try world.register { try sign(&$0, with: key) }.extensions.browserBoundPublicKey == nil)
    expectFailure(.registrationExtensionMalformed, step: 28) {
      try world.register(extensions: [.payment()]) {
        try sign(&$0, with: SigningKey.generate(.es256, random: .seeded([5], label: "another key")))
      }
    }
    #expect(try world.register(extensions: [.payment()]).extensions.browserBoundPublicKey == nil)
  }

  // MARK: Authentication

  @Test func `requested sign-in outputs are typed, with their source`() throws {
    let id = try CredentialID([UInt8](repeating: 7, count: 32))
    let salts = try HMACSecretSalts(salt1: secret)
    let result = try world.authenticate(extensions: [
      .prf(byCredential: [id: PRFValues(first: [1], second: [2])]), .largeBlob(.read), .getCredBlob, .uvm,
      .hmacGetSecret(salts), .appID("https://raxx.app/id"),
    ]) {
      var outputs = AuthenticationClientOutputs()
      outputs.prf = PRFOutputs(results: PRFValues(first: secret, second: secret))
      outputs.largeBlob = LargeBlobOutputs(blob: [1, 2, 3])
      outputs.getCredBlob = [9]
      outputs.hmacGetSecret = try HMACSecretOutputs(output1: secret)
      outputs.appID = false
      $0.clientExtensions = outputs.extensions
      $0.extensions = [
        "hmac-secret": .bytes([UInt8](repeating: 0, count: 80)), "credBlob": .bytes([9]), "uvm": [[2, 4, 2]],
      ]
    }
    #expect(result.extensions.fromClient.prf?.results?.second == secret)
    #expect(result.extensions.fromClient.largeBlob?.blob == [1, 2, 3])
    #expect(result.extensions.fromClient.getCredBlob == [9])
    #expect(result.extensions.fromClient.hmacGetSecret?.output1 == secret)
    #expect(result.extensions.fromClient.appID == false)
    #expect(result.extensions.fromAuthenticator.credBlob == [9])
    #expect(result.extensions.fromAuthenticator.hmacSecret?.count == 80)
    #expect(result.extensions.fromAuthenticator.uvm?.count == 1)
    #expect(result.authenticatorExtensionOutputs?.count == 3)
    let none = try world.authenticate { $0.clientExtensions = ["prf": ["results": 1]] }
    #expect(none.extensions.fromClient == AuthenticationClientOutputs())
  }

  @Test(
    arguments: [
      ("prf", ["results": ["first": ""]], "prf.results.first"), ("prf", ["results": [:]], "prf.results.first"),
      ("largeBlob", ["blob": "a+b/"], "largeBlob.blob"), ("getCredBlob", 1, "getCredBlob"), ("uvm", [[1]], "uvm"),
    ] as [(String, ExtensionValue, String)])
  func `a malformed client output is reported, and the sign-in succeeds`(
    name: String, value: ExtensionValue, member: String
  ) throws {
    let result = try world.authenticate(extensions: [
      .prf(evaluating: PRFValues(first: [1])), .largeBlob(.read), .getCredBlob, .uvm, .appID("https://raxx.app/id"),
    ]) {
      $0.clientExtensions = ["appid": false]
      $0.clientExtensions[name] = value
    }
    #expect(result.extensions.malformedClientOutputs.mapValues(\.member) == [name: member])
    var others = AuthenticationClientOutputs()
    others.appID = false
    #expect(result.extensions.fromClient == others)
  }

  @Test func `malformed outputs that decide a sign-in are refused, and unrequested ones by the policy`() throws {
    let payment = try ShownPayment.leastTransaction()
    expectFailure(.authenticationExtensionMalformed, step: 23) {
      try world.authenticate(purpose: .payment(payment)) { $0.clientExtensions = ["payment": true] }
    }
    expectFailure(.authenticationExtensionMalformed, step: 23) {
      try world.authenticate(extensions: [.getCredBlob]) { $0.extensions = ["credBlob": true] }
    }
    expectFailure(.authenticationExtensionMalformed, step: 23) {
      try world.authenticate(extensions: [.appID("https://raxx.app/id")]) { $0.clientExtensions = ["appid": "true"] }
    }
    expectFailure(.authenticationExtensionMalformed, step: 23) {
      try world.authenticate(extensions: [.prf(evaluating: PRFValues(first: [1]))]) {
        $0.extensions = ["hmac-secret": .bytes([1, 2, 3])]
      }
    }
    let corrupt = { (device: inout TestDevice) in device.clientExtensions = ["uvm": 1] }
    #expect(try world.authenticate(extensions: [.getCredBlob], corrupt).extensions.fromClient.uvm == nil)
    var strict = world
    strict.policy.unrequestedExtensions = .refused
    expectFailure(.authenticationExtensionNotRequested, step: 23) {
      try strict.authenticate(extensions: [.getCredBlob], corrupt)
    }
  }

  @Test func `a large blob is read or written as requested`() throws {
    let both: ClientExtensions = ["largeBlob": ["blob": "AQID", "written": true, "supported": true]]
    let read = try world.authenticate(extensions: [.largeBlob(.read)]) { $0.clientExtensions = both }
    #expect(read.extensions.fromClient.largeBlob == LargeBlobOutputs(blob: [1, 2, 3]))
    let written = try world.authenticate(extensions: [.largeBlob(.write([1]))]) { $0.clientExtensions = both }
    #expect(written.extensions.fromClient.largeBlob == LargeBlobOutputs(isWritten: true))
    let unread = try world.authenticate(extensions: [.largeBlob(.read)]) { $0.clientExtensions = ["largeBlob": [:]] }
    #expect(unread.extensions.fromClient.largeBlob == LargeBlobOutputs())
    let unknown = try world.authenticate(extensions: [.largeBlob(.write([1]))]) {
      $0.clientExtensions = ["largeBlob": [:]]
    }
    #expect(unknown.extensions.fromClient.largeBlob == nil)
    #expect(
      unknown.extensions.malformedClientOutputs == [
        "largeBlob": FormatError(.clientExtensionsMissingMember, at: 0, member: "largeBlob.written")
      ])
    #expect(try world.authenticate(extensions: [.largeBlob(.write([1]))]).extensions.fromClient.largeBlob == nil)
    var strict = world
    strict.policy.unrequestedExtensions = .refused
    for access in [LargeBlobAccess.read, .write([1])] {
      expectFailure(.authenticationExtensionNotRequested, step: 23) {
        try strict.authenticate(extensions: [.largeBlob(access)]) {
          $0.clientExtensions = ["largeBlob": ["blob": "AQID", "written": true]]
        }
      }
    }
  }

  // MARK: Both

  @Test func `the trace names each malformed output`() throws {
    let trace = SpecTrace()
    _ = try world.register(extensions: [.credProps, .prf()], trace: trace) {
      $0.clientExtensions = ["credProps": true, "prf": ["enabled": true]]
    }
    #expect(
      trace.entries.filter { $0.step == 28 }.map(\.title).suffix(2) == [
        "the client's output of credProps is malformed, and reported: "
          + "client-extensions.invalid-member (credProps) at offset 0",
        "the other outputs are well formed: the client says prf (enabled), the authenticator nothing",
      ])
  }

  @Test func `the trace names several malformed outputs in the order of their names`() throws {
    let malformed: ClientExtensions = [
      "uvm": [], "prf": ["enabled": 1], "largeBlob": ["supported": 1], "credProps": true, "appidExclude": 1,
    ]
    let trace = SpecTrace()
    _ = try world.register(
      extensions: [
        .credProps, .prf(), .largeBlob(support: .preferred), .uvm, .appIDExclude("https://raxx.app/id"),
      ], trace: trace
    ) { $0.clientExtensions = malformed }
    let titles = trace.entries.filter { $0.step == 28 && $0.title.contains("is malformed") }.map(\.title)
    #expect(titles.count == 5)
    #expect(titles == titles.sorted())
  }

  @Test func `a payment in the client data is read only if its extension was requested`() throws {
    let corrupt = { (device: inout TestDevice) in
      device.clientDataText =
        #"{"type":"webauthn.create","challenge":"\#(device.challenge)","#
        + #""origin":"https://raxx.app","payment":{"browserBoundPublicKey":1}}"#
    }
    #expect(try world.register(extensions: [.credProps], corrupt).extensions.browserBoundPublicKey == nil)
    expectFailure(.registrationExtensionMalformed, step: 28) {
      try world.register(extensions: [.payment()], corrupt)
    }
  }

  @Test func `the trace names the source of each output, and no secret`() throws {
    let trace = SpecTrace()
    _ = try world.register(extensions: [.prf(evaluating: PRFValues(first: [1])), .minPinLength], trace: trace) {
      var outputs = RegistrationClientOutputs()
      outputs.prf = PRFOutputs(isEnabled: true, results: PRFValues(first: secret))
      $0.clientExtensions = outputs.extensions
      $0.extensions = ["minPinLength": 6]
    }
    #expect(
      trace.entries.filter { $0.step == 28 }.map(\.title) == [
        "ignored outputs of extensions that were not requested",
        """
        the outputs are well formed: the client says prf (enabled, one value), the authenticator minPinLength (6)
        """,
      ])
  }

  @Test func `corrupt outputs are refused or read, and never trap`() throws {
    let relyingParty = try world.relyingParty()
    let begun = try relyingParty.beginRegistration(
      of: UserEntity(id: world.user, name: "a", displayName: "b"),
      extensions: [.credProps, .prf(), .uvm, .credentialProtection(.userVerificationRequired, enforce: true)],
      at: CeremonyWorld.now)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.extensions = ["credProtect": 3, "hmac-secret": true, "uvm": [[2, 4, 2]]]
    device.clientExtensions = ["credProps": ["rk": true], "prf": ["enabled": true], "uvm": [[2, 4, 2]]]
    let json = try device.registration().json
    var accepted = 0
    try PropertyRuns.check(default: 3_000) { generator in
      let corrupted = Mutation.mutated(json, using: &generator)
      guard let response = try? RegistrationResponse(json: corrupted[...]) else { return }
      let result = try? relyingParty.finishRegistration(
        response, pending: begun.pending.duplicateForTesting(), existing: .notFound, at: CeremonyWorld.now)
      guard let result else { return }
      accepted += 1
      if result.extensions.fromAuthenticator.credProtect != .userVerificationRequired {
        throw CeremonyWorld.Unexpected()
      }
    }
    #expect(accepted > 10, "a property that had hardly anything to look at")
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `without extensions nothing is allocated for them`() throws {
    let relyingParty = try world.relyingParty()
    let credential = try world.credential()
    func calls(_ extensions: [AuthenticationExtension], _ outputs: ClientExtensions) throws -> Int {
      let begun = try relyingParty.beginAuthentication(
        of: .knownBefore(world.user, credentials: [credential.record.descriptor]), extensions: extensions,
        at: CeremonyWorld.now)
      var device = try TestDevice(challenge: begun.pending.challenge)
      device.type = .get
      device.clientExtensions = outputs
      let response = try device.authentication()
      let finish = {
        _ = try relyingParty.finishAuthentication(
          response, pending: begun.pending.duplicateForTesting(), credential: credential, at: CeremonyWorld.now)
      }
      try finish()
      return try AllocationCounter.calls(during: finish)
    }
    let least = try calls([], [:])
    #expect(try calls([.uvm], [:]) == least)
    #expect(try calls([], ["uvm": [[2, 4, 2]]]) == least)
    #expect(try calls([.uvm], ["uvm": [[2, 4, 2]]]) > least)
  }
}
