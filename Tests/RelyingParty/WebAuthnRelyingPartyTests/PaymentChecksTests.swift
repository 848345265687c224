// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// Secure Payment Confirmation, "Verifying an Authentication Assertion", in the order of its steps.
@Suite struct PaymentChecksTests {
  var world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  @Test func `a payment shown as requested is proven`() throws {
    let transaction = try ShownPayment.transaction()
    let trace = SpecTrace()
    let result = try world.authenticate(purpose: .payment(transaction), trace: trace)
    let proof = try #require(result.payment)
    #expect(proof.transaction == transaction)
    #expect(proof.user == world.user)
    #expect(proof.credentialID == result.credential.record.id)
    #expect(proof.time == CeremonyWorld.now)
    #expect(proof.shownLogos == transaction.logos)
    #expect(proof.iconWasShown)
    #expect(proof.browserBoundPublicKey == nil)
    #expect("\(proof)".hasPrefix("EUR 12.50 to The Shop, https://shop.example, confirmed by "))
    let numbers = trace.entries.map(\.step)
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers) == Set(1...25))
    #expect(trace.entries.contains { $0.step == 12 && $0.title == "the payment's total is the requested one" })
    #expect(try world.authenticate(purpose: .payment(ShownPayment.leastTransaction())).payment != nil)
  }

  @Test func `step 5: the credential is one of the allowed ones`() throws {
    let others = [CredentialDescriptor(id: try CredentialID([1, 2, 3]))]
    expectFailure(.authenticationCredentialNotAllowed, step: 5) {
      try world.authenticate(
        purpose: .payment(ShownPayment.transaction()), as: .knownBefore(world.user, credentials: others))
    }
  }

  @Test func `step 10: payments, sign-ins and confirmations cannot replace each other`() throws {
    let payment = AuthenticationPurpose.payment(try ShownPayment.transaction())
    expectFailure(.authenticationTypeMismatch, step: 10) { try world.authenticate(purpose: payment) { $0.type = .get } }
    expectFailure(.authenticationTypeMismatch, step: 10) { try world.authenticate { $0.type = .payment } }
    let stepUp = AuthenticationPurpose.stepUp(StepUpAction(session: [1], action: [2]))
    expectFailure(.authenticationTypeMismatch, step: 10) {
      try world.authenticate(purpose: stepUp) { $0.type = .payment }
    }
  }

  @Test func `step 12: the page must be the requested caller, and not ours`() throws {
    let payment = AuthenticationPurpose.payment(try ShownPayment.transaction())
    expectFailure(.authenticationOriginMismatch, step: 12) {
      try world.authenticate(purpose: payment) { $0.origin = "https://raxx.app" }
    }
    expectFailure(.authenticationOriginMismatch, step: 12) {
      try world.authenticate(purpose: payment) { $0.origin = "https://attacker.example" }
    }
    expectFailure(.authenticationOriginMismatch, step: 12) {
      try world.authenticate { $0.origin = "https://shop.example" }
    }
  }

  @Test func `step 12: the client data describe the payment`() throws {
    let payment = AuthenticationPurpose.payment(try ShownPayment.transaction())
    expectFailure(.authenticationPaymentMalformed, step: 12) {
      try world.authenticate(purpose: payment) { $0.payment = nil }
    }
    expectFailure(.authenticationPaymentMalformed, step: 12) {
      try world.authenticate(purpose: payment) { $0.payment?.relyingPartyID = nil }
    }
  }

  static let lies: [(String, @Sendable (inout ShownPayment) -> Void)] = [
    ("RP ID", { $0.relyingPartyID = "evil.example" }), ("top origin", { $0.topOrigin = "https://evil.example" }),
    ("top origin", { $0.topOrigin = "" }), ("payee's name", { $0.payeeName = "The shop" }),
    ("payee's name", { $0.payeeName = nil }), ("payee's origin", { $0.payeeOrigin = "https://shop.example.evil" }),
    ("payee's origin", { $0.payeeOrigin = nil }), ("logos", { $0.logos.reverse() }),
    ("logos", { $0.logos.append(PaymentEntityLogo(url: "https://d.example", label: "d")) }),
    ("logos", { $0.logos.append($0.logos[0]) }), ("logos", { $0.logos = [$0.logos[0], $0.logos[0]] }),
    ("logos", { $0.logos = [PaymentEntityLogo(url: "https://evil.example/logo.png", label: "a")] }),
    ("logos", { $0.logos = [PaymentEntityLogo(url: "", label: "e")] }), ("total", { $0.value = "12.5" }),
    ("total", { $0.value = "0.01" }), ("total", { $0.currency = "USD" }), ("total", { $0.currency = "eur" }),
    ("instrument", { $0.displayName = "Card " }), ("instrument", { $0.icon = "https://evil.example/card.png" }),
    ("instrument", { $0.icon = "" }), ("instrument", { $0.details = nil }), ("instrument", { $0.details = "12345" }),
  ]

  @Test(arguments: lies.indices) func `step 12: the shown payment equals the requested one`(index: Int) throws {
    let (what, lie) = Self.lies[index]
    let trace = SpecTrace()
    let payment = AuthenticationPurpose.payment(try ShownPayment.transaction())
    expectFailure(.authenticationPaymentMismatch, step: 12) {
      try world.authenticate(purpose: payment, trace: trace) { device in
        if device.payment != nil { lie(&device.payment!) }
      }
    }
    #expect(trace.entries.last?.title == "the payment's \(what) is the requested one")
    #expect(trace.entries.last?.outcome == .failed(.authenticationPaymentMismatch))
  }

  @Test func `a refusal names the requested and the shown payee`() throws {
    let payment = AuthenticationPurpose.payment(try ShownPayment.transaction())
    func comparison(_ lie: (inout TestDevice) -> Void) -> CeremonyError.Comparison? {
      let trace = SpecTrace()
      expectFailure(.authenticationPaymentMismatch, step: 12) {
        try world.authenticate(purpose: payment, trace: trace, lie)
      }
      return trace.entries.last?.comparison
    }
    let name = comparison { $0.payment?.payeeName = "The shop" }
    #expect(name?.expected == "The Shop")
    #expect(name?.received == "The shop")
    let origin = comparison { $0.payment?.payeeOrigin = "https://evil.example" }
    #expect(origin?.expected == "https://shop.example")
    #expect(origin?.received == "https://evil.example")
  }

  @Test func `an icon that need not be shown is missing or the requested one`() throws {
    let payment = AuthenticationPurpose.payment(try ShownPayment.transaction(iconMustBeShown: false))
    expectFailure(.authenticationPaymentMismatch, step: 12) {
      try world.authenticate(purpose: payment) { $0.payment?.icon = "https://evil.example/card.png" }
    }
  }

  @Test func `an unrequested payee is refused`() throws {
    let payment = AuthenticationPurpose.payment(try ShownPayment.leastTransaction())
    expectFailure(.authenticationPaymentMismatch, step: 12) {
      try world.authenticate(purpose: payment) { $0.payment?.payeeOrigin = "https://shop.example" }
    }
    expectFailure(.authenticationPaymentMismatch, step: 12) {
      try world.authenticate(purpose: payment) { $0.payment?.details = "x" }
    }
  }

  @Test func `text that only looks the same is refused`() throws {
    let payment = AuthenticationPurpose.payment(
      PaymentTransaction(
        total: try PaymentCurrencyAmount(currency: "EUR", value: "1"), payee: .name("Caf\u{e9}"),
        instrument: PaymentCredentialInstrument(displayName: "Card", icon: "data:,"),
        caller: try WebOrigin("https://raxx.app")))
    #expect(try world.authenticate(purpose: payment).payment != nil)
    expectFailure(.authenticationPaymentMismatch, step: 12) {
      try world.authenticate(purpose: payment) { $0.payment?.payeeName = "Cafe\u{301}" }
    }
  }

  @Test func `a browser may omit logos and optional pictures`() throws {
    let transaction = try ShownPayment.transaction(iconMustBeShown: false)
    let result = try world.authenticate(purpose: .payment(transaction)) {
      $0.payment?.logos = [transaction.logos[0], PaymentEntityLogo(url: "", label: "c")]
      $0.payment?.icon = ""
    }
    #expect(result.payment?.shownLogos == [transaction.logos[0]])
    #expect(result.payment?.iconWasShown == false)
    #expect(try world.authenticate(purpose: .payment(transaction)) { $0.payment?.logos = [] }.payment?.shownLogos == [])
  }

  @Test func `steps 13 and 14: a page embedded by another is accepted if both are allowed`() throws {
    let payment = AuthenticationPurpose.payment(try ShownPayment.transaction(topOrigin: "https://mall.example"))
    #expect(
      try world.authenticate(purpose: payment) {
        $0.crossOrigin = true
        $0.topOrigin = "https://mall.example"
      }.payment != nil)
    expectFailure(.authenticationTopOriginMismatch, step: 14) {
      try world.authenticate(purpose: payment) {
        $0.crossOrigin = true
        $0.topOrigin = "https://evil.example"
      }
    }
    expectFailure(.authenticationCrossOriginRefused, step: 13) {
      try world.authenticate(purpose: .payment(ShownPayment.transaction())) { $0.crossOrigin = true }
    }
  }

  @Test func `step 17: a payment requires user verification under every policy`() throws {
    var lenient = world
    lenient.policy.userVerification = .discouraged
    expectFailure(.authenticationUserNotVerified, step: 17) {
      try lenient.authenticate(purpose: .payment(ShownPayment.transaction())) { $0.flags.remove(.userVerified) }
    }
  }

  @Test func `step 23: the browser-bound key is reported only if it signed`() throws {
    let payment = AuthenticationPurpose.payment(try ShownPayment.transaction())
    let key = try SigningKey.generate(.es256, random: .seeded([4], label: "browser bound key"))
    let encoded = [UInt8](key.publicKey.encoded)
    func sign(_ device: inout TestDevice, with signer: SigningKey) throws {
      device.payment?.browserBoundPublicKey = encoded
      let signature = try signer.sign(device.clientDataJSON[...], .deterministic)
      device.clientExtensions = AuthenticationClientOutputsBuilder.payment(signature)
    }
    var strict = world
    strict.policy.unrequestedExtensions = .refused
    let result = try strict.authenticate(purpose: payment) { try sign(&$0, with: key) }
    #expect(result.payment?.browserBoundPublicKey == encoded)
    #expect(result.extensions.browserBoundPublicKey == encoded)
    let other = try SigningKey.generate(.es256, random: .seeded([5], label: "another key"))
    expectFailure(.authenticationExtensionMalformed, step: 23) {
      try world.authenticate(purpose: payment) { try sign(&$0, with: other) }
    }
    expectFailure(.authenticationExtensionMalformed, step: 23) {
      try world.authenticate(purpose: payment) {
        $0.payment?.browserBoundPublicKey = [0xa0]
        $0.clientExtensions = AuthenticationClientOutputsBuilder.payment([1])
      }
    }
    let unsigned = try world.authenticate(purpose: payment) { $0.payment?.browserBoundPublicKey = encoded }
    #expect(unsigned.payment?.browserBoundPublicKey == nil)
    let unnamed = try world.authenticate(purpose: payment) {
      $0.clientExtensions = AuthenticationClientOutputsBuilder.payment([1])
    }
    #expect(unnamed.payment?.browserBoundPublicKey == nil)
  }

  @Test func `step 23: permission for third-party payment is reported`() throws {
    let result = try world.authenticate(purpose: .payment(ShownPayment.transaction())) {
      $0.extensions = ["thirdPartyPayment": true]
    }
    #expect(result.extensions.fromAuthenticator.thirdPartyPayment == true)
  }

  @Test func `corrupt client data are refused and never trap`() throws {
    let relyingParty = try world.relyingParty()
    let credential = try world.credential()
    let payment = AuthenticationPurpose.payment(try ShownPayment.transaction())
    let begun = try relyingParty.beginAuthentication(
      of: .knownBefore(world.user, credentials: [credential.record.descriptor]), purpose: payment,
      at: CeremonyWorld.now)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .payment
    device.origin = "https://shop.example"
    device.payment = ShownPayment(try ShownPayment.transaction())
    let whole = try device.authentication()
    let clientData = device.clientDataJSON
    try PropertyRuns.check(default: 2_000) { generator in
      var response = whole
      let corrupted = Mutation.mutated(clientData, using: &generator)
      response.clientDataJSON = corrupted[...]
      let result = try? relyingParty.finishAuthentication(
        response, pending: begun.pending.duplicateForTesting(), credential: credential, purpose: payment,
        at: CeremonyWorld.now)
      if result != nil, corrupted != clientData { throw CeremonyWorld.Unexpected() }
    }
  }
}

/// The browser's output about its own key.
private enum AuthenticationClientOutputsBuilder {
  static func payment(_ signature: [UInt8]) -> ClientExtensions {
    var outputs = AuthenticationClientOutputs()
    outputs.payment = PaymentOutputs(browserBoundSignature: signature)
    return outputs.extensions
  }
}
