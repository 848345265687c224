// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// Invalid extension inputs are refused before the ceremony begins.
@Suite struct RelyingPartyExtensionsTests {
  var world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  @Test func `requested extensions are in the options`() throws {
    let registration = try register([.credProps, .largeBlob(support: .required)])
    #expect(registration.extensions == ["credProps": true, "largeBlob": ["support": "required"]])
    #expect(registration.authenticatorSelection.authenticatorAttachment == nil)
    let authentication = try authenticate([.largeBlob(.write([1]))], of: known(1))
    #expect(authentication.extensions == ["largeBlob": ["write": "AQ"]])
    #expect(try register([]).extensions.isEmpty)
    #expect(try authenticate([], of: .fromResponse).extensions.isEmpty)
  }

  @Test func `a large blob is written to exactly one credential`() throws {
    for user in try [known(0), known(2), .fromResponse] {
      expectFailure(.configurationInvalid, step: nil) { try authenticate([.largeBlob(.write([1]))], of: user) }
      _ = try authenticate([.largeBlob(.read)], of: user)
    }
    expectFailure(.configurationInvalid, step: nil) {
      try authenticate([.other("largeBlob", ["support": "required"])], of: known(1))
    }
    expectFailure(.configurationInvalid, step: nil) { try register([.other("largeBlob", ["read": true])]) }
    expectFailure(.configurationInvalid, step: nil) {
      try authenticate([.other("largeBlob", ["read": true, "write": "AQ"])], of: known(1))
    }
  }

  @Test func `prf by credential requires listed credentials`() throws {
    let asked: [AuthenticationExtension] = [.prf(byCredential: [try CredentialID([1]): PRFValues(first: [1])])]
    _ = try authenticate(asked, of: known(2))
    expectFailure(.configurationInvalid, step: nil) { try authenticate(asked, of: known(1)) }
    expectFailure(.configurationInvalid, step: nil) { try authenticate(asked, of: .fromResponse) }
    expectFailure(.configurationInvalid, step: nil) {
      try register([.other("prf", ["evalByCredential": ["AQ": ["first": "AQ"]]])])
    }
  }

  @Test func `malformed known extensions are not requested`() {
    expectFailure(.configurationInvalid, step: nil) {
      try register([.other("credentialProtectionPolicy", "always")])
    }
    expectFailure(.configurationInvalid, step: nil) { try register([.other("payment", true)]) }
    expectFailure(.configurationInvalid, step: nil) { try authenticate([.other("appid", 1)], of: known(1)) }
  }

  @Test func `a payment credential is a discoverable platform credential with user verification`() throws {
    let options = try register([.payment()])
    #expect(options.authenticatorSelection.authenticatorAttachment == .platform)
    #expect(options.authenticatorSelection.residentKey == .required)
    var lenient = self
    lenient.world.policy.userVerification = .preferred
    expectFailure(.configurationInvalid, step: nil) { try lenient.register([.payment()]) }
    lenient = self
    lenient.world.policy.residentKey = .discouraged
    expectFailure(.configurationInvalid, step: nil) { try lenient.register([.payment()]) }
  }

  @Test func `what payments need is not demanded of other registrations`() throws {
    var other = self
    other.world.policy.residentKey = .discouraged
    other.world.policy.userVerification = .discouraged
    let begun = try other.world.relyingParty().beginRegistration(
      of: UserEntity(id: world.user, name: "a", displayName: "b"), attachment: .crossPlatform,
      extensions: [.credProps], at: CeremonyWorld.now)
    #expect(begun.options.authenticatorSelection.authenticatorAttachment == .crossPlatform)
  }

  @Test func `a payment is requested by its purpose only`() throws {
    expectFailure(.configurationInvalid, step: nil) {
      try authenticate([.other("payment", ["isPayment": true])], of: known(1))
    }
    let transaction = try ShownPayment.transaction()
    let options = try authenticate([], of: known(1), purpose: .payment(transaction))
    #expect(options.extensions.isEmpty)
    #expect(options.userVerification == .required)
    #expect(options.allowCredentials.count == 1)
    let request = SecurePaymentConfirmationRequest(options, transaction)
    #expect(try ClientExtensions(json: request.json[...])["rpId"] == "raxx.app")
  }

  @Test func `a payment that browsers refuse is not begun`() throws {
    func begin(
      _ user: UserIdentification? = nil, extensions: [AuthenticationExtension] = [],
      payee: PaymentPayee = .name("The Shop"), displayName: String = "Card", icon: String = "data:,",
      logos: [PaymentEntityLogo] = [], caller: String = "https://raxx.app", topOrigin: String? = nil
    ) throws -> RequestOptions {
      let transaction = PaymentTransaction(
        total: try PaymentCurrencyAmount(currency: "EUR", value: "1"), payee: payee,
        instrument: PaymentCredentialInstrument(displayName: displayName, icon: icon), logos: logos,
        caller: try WebOrigin(caller), topOrigin: try topOrigin.map { try WebOrigin($0) })
      return try authenticate(extensions, of: user ?? known(1), purpose: .payment(transaction))
    }
    _ = try begin()
    _ = try begin(extensions: [.uvm])
    expectFailure(.configurationInvalid, step: nil) { try begin(.fromResponse) }
    expectFailure(.configurationInvalid, step: nil) { try begin(known(0)) }
    expectFailure(.configurationInvalid, step: nil) {
      try begin(extensions: [.uvm], caller: "https://shop.example")
    }
    expectFailure(.configurationInvalid, step: nil) { try begin(caller: "http://raxx.app") }
    _ = try begin(topOrigin: "https://shop.example")
    expectFailure(.configurationInvalid, step: nil) {
      try begin(caller: "http://raxx.app", topOrigin: "https://raxx.app")
    }
    expectFailure(.configurationInvalid, step: nil) { try begin(topOrigin: "http://shop.example") }
    expectFailure(.configurationInvalid, step: nil) { try begin(payee: .name("")) }
    expectFailure(.configurationInvalid, step: nil) { try begin(payee: .origin(WebOrigin("http://shop.example"))) }
    expectFailure(.configurationInvalid, step: nil) { try begin(displayName: "") }
    expectFailure(.configurationInvalid, step: nil) { try begin(icon: "") }
    expectFailure(.configurationInvalid, step: nil) { try begin(logos: [PaymentEntityLogo(url: "", label: "a")]) }
    expectFailure(.configurationInvalid, step: nil) { try begin(logos: [PaymentEntityLogo(url: "a", label: "")]) }
  }

  private func known(_ count: UInt8) throws -> UserIdentification {
    .knownBefore(world.user, credentials: try (0..<count).map { CredentialDescriptor(id: try CredentialID([$0])) })
  }

  private func register(_ extensions: [RegistrationExtension]) throws -> CreationOptions {
    try world.relyingParty().beginRegistration(
      of: UserEntity(id: world.user, name: "a", displayName: "b"), extensions: extensions, at: CeremonyWorld.now
    ).options
  }

  private func authenticate(
    _ extensions: [AuthenticationExtension], of user: UserIdentification, purpose: AuthenticationPurpose = .signIn
  ) throws -> RequestOptions {
    try world.relyingParty().beginAuthentication(
      of: user, purpose: purpose, extensions: extensions, at: CeremonyWorld.now
    ).options
  }
}
