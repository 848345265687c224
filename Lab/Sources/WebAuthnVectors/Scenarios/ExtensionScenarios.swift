// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Extension inputs and outputs (WebAuthn §9, §10), which §7.1 step 28 and §7.2 step 23 judge.
enum ExtensionScenarios {
  static var all: [any Scenario] { registrations + protections + authentications }

  private static var registrations: [RegistrationScenario] {
    [
      registered("none-given-back", [:], asked: ["credProps": true]),
      registered("credProps", ["credProps": .object(["rk": true])], asked: ["credProps": true]),
      registered("prf", ["prf": .object(["enabled": true])], ["hmac-secret": true], asked: ["prf": .object([])]),
      registered(
        "largeBlob", ["largeBlob": .object(["supported": true])],
        asked: ["largeBlob": .object(["support": "preferred"])]),
      registered("minPinLength", [:], ["minPinLength": 6], asked: ["minPinLength": true]),
      registered("credProps-malformed", ["credProps": .object(["rk": .integer(1)])], asked: ["credProps": true]),
      registered(
        "credProps-not-an-object", ["credProps": true, "prf": .object(["results": .object([])])],
        asked: ["credProps": true, "prf": .object([])]),
      registered("payment-malformed", ["payment": true], asked: ["payment": .object(["isPayment": true])])
        .refused(
          .registrationExtensionMalformed, 28, "client-extensions.invalid-member",
          because: "the output of payment is a Boolean"),
      registered(
        "payment-signature-missing", ["payment": .object(["browserBoundSignature": .object([])])],
        asked: ["payment": .object(["isPayment": true])]
      )
      .refused(
        .registrationExtensionMalformed, 28, "client-extensions.missing-member",
        because: "the browser-bound signature is missing"),
      registered("credProps-malformed-and-not-asked-for", ["credProps": .object(["rk": .integer(1)])], asked: [:]),
      registered("minPinLength-malformed", [:], ["minPinLength": "six"], asked: ["minPinLength": true])
        .refused(
          .registrationExtensionMalformed, 28, "authenticator-extensions.invalid-member", "cbor.wrong-type",
          because: "the minimum PIN length is a text string"),
    ]
  }

  private static var protections: [RegistrationScenario] {
    let asked: KeyValuePairs<String, JSONDraft> = [
      "credentialProtectionPolicy": "userVerificationRequired", "enforceCredentialProtectionPolicy": true,
    ]
    return [
      registered("credProtect", [:], ["credProtect": 3], asked: asked),
      registered("credProtect-less-than-demanded", [:], ["credProtect": 2], asked: asked)
        .refused(
          .registrationProtectionInsufficient, 28,
          because: "the protection policy is weaker than the requested one"),
      registered("credProtect-not-told", [:], asked: asked)
        .refused(
          .registrationProtectionInsufficient, 28, because: "the authenticator does not report a protection policy"),
      registered("credProtect-unknown", [:], ["credProtect": 4], asked: asked)
        .refused(
          .registrationExtensionMalformed, 28, "authenticator-extensions.invalid-member",
          because: "the protection policy is unknown"),
    ]
  }

  private static var authentications: [AuthenticationScenario] {
    let secret = JSONDraft.bytes([UInt8](repeating: 0x5e, count: 32))
    let salt = JSONDraft.object(["eval": .object(["first": .bytes([1, 2, 3])])])
    return [
      authenticated("prf", ["prf": .object(["results": .object(["first": secret])])], asked: ["prf": salt]),
      authenticated(
        "largeBlob-read", ["largeBlob": .object(["blob": .bytes([1, 2, 3])])],
        asked: ["largeBlob": .object(["read": true])]),
      authenticated(
        "largeBlob-written", ["largeBlob": .object(["written": true])],
        asked: ["largeBlob": .object(["write": .bytes([1, 2, 3])])]),
      authenticated(
        "prf-malformed", ["prf": .object(["results": .object(["first": "no base64url!"])])],
        asked: ["prf": salt]),
      authenticated("prf-results-empty", ["prf": .object(["results": .object([])])], asked: ["prf": salt]),
      authenticated(
        "largeBlob-not-told-whether-written", ["largeBlob": .object([])],
        asked: ["largeBlob": .object(["write": .bytes([1, 2, 3])])]),
      authenticated("appid-malformed", ["appid": "true"], asked: ["appid": "https://raxx.app/appid.json"])
        .refused(
          .authenticationExtensionMalformed, 23, "client-extensions.invalid-member",
          because: "the output of appid is a string"),
      authenticated("hmac-secret-malformed", [:], ["hmac-secret": true], asked: ["prf": salt])
        .refused(
          .authenticationExtensionMalformed, 23, "authenticator-extensions.invalid-member", "cbor.wrong-type",
          because: "the encrypted output of hmac-secret is a Boolean"),
    ]
  }

  private static func registered(
    _ name: String, _ client: KeyValuePairs<String, JSONDraft>, _ authenticator: CBORTree? = nil,
    asked: KeyValuePairs<String, JSONDraft>
  ) -> RegistrationScenario {
    extended(RegistrationScenario("extensions/registration/\(name)", .es256, .none), client, authenticator, asked)
  }

  private static func authenticated(
    _ name: String, _ client: KeyValuePairs<String, JSONDraft>, _ authenticator: CBORTree? = nil,
    asked: KeyValuePairs<String, JSONDraft>
  ) -> AuthenticationScenario {
    extended(AuthenticationScenario("extensions/authentication/\(name)"), client, authenticator, asked)
  }

  /// Returns the scenario with these outputs of the client and the authenticator, and these inputs.
  private static func extended<Extended: Scenario>(
    _ scenario: Extended, _ client: KeyValuePairs<String, JSONDraft>, _ authenticator: CBORTree?,
    _ asked: KeyValuePairs<String, JSONDraft>
  ) -> Extended {
    scenario
      .modifying(AuthenticatorDataDraft.self) { $0.extensions = authenticator }
      .modifying(ResponseDraft.self) { $0.clientExtensionResults = .object(client) }
      .configuring { (settings) in
        settings.extensions = asked.map { JSONDraft.Member(name: $0.key, value: $0.value) }
        settings.policy.unrequestedExtensions = asked.isEmpty ? nil : .refused
      }
  }
}
