// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnInspection

// Faults in client data (WebAuthn §5.8.1).

extension Fault {
  // MARK: The members

  static let typeOfRegistration = Fault("the type is webauthn.create") {
    (draft: inout ClientDataDraft) in
    draft.type = .string("webauthn.create")
  }
  static let typeOfAuthentication = Fault("the type is webauthn.get") { (draft: inout ClientDataDraft) in
    draft.type = .string("webauthn.get")
  }
  static let typeOfPayment = Fault("the type is payment.get") { (draft: inout ClientDataDraft) in
    draft.type = .string("payment.get")
  }
  static let typeUnknown = Fault("the type is unknown") { (draft: inout ClientDataDraft) in
    draft.type = .string("webauthn.Create")
  }
  static let typeMissing = Fault("the client data have no type") { (draft: inout ClientDataDraft) in draft.type = nil }
  static let typeNotText = Fault("the type is a number") { (draft: inout ClientDataDraft) in draft.type = .integer(1) }

  static let challengeOfAnotherCeremony = Fault("the challenge is that of another ceremony") {
    (draft: inout ClientDataDraft) in draft.challenge = .bytes([UInt8](repeating: 0xc4, count: 32))
  }
  static let challengeCut = Fault("the last byte of the challenge is missing") { (draft: inout ClientDataDraft) in
    if case .bytes(let bytes)? = draft.challenge { draft.challenge = .bytes(bytes.dropLast()) }
  }
  static let challengeEmpty = Fault("the challenge is empty") { (draft: inout ClientDataDraft) in
    draft.challenge = .string("")
  }
  static let challengePadded = Fault("the challenge is padded base64url") { (draft: inout ClientDataDraft) in
    if case .bytes(let bytes)? = draft.challenge { draft.challenge = .string(Base64URL.encode(bytes) + "=") }
  }
  static let challengeMissing = Fault("the client data have no challenge") { (draft: inout ClientDataDraft) in
    draft.challenge = nil
  }

  static let originOfAnotherSite = origin("https://raxx.app.example", "the origin is that of another site")
  static let originOfAnotherHost = origin("https://login.raxx.app", "the origin is another host of the domain")
  static let originOfAnotherPort = origin("https://raxx.app:8443", "the origin has another port")
  static let originWithDefaultPort = origin(
    "https://raxx.app:443", "the origin has the default port, which serialized origins omit")
  static let originWithoutEncryption = origin("http://raxx.app", "the origin is http")
  static let originWithPath = origin("https://raxx.app/", "the origin has a path")
  static let originInCapitals = origin("https://RAXX.app", "the origin is in upper case")
  static let originOfAnApp = origin(
    "android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", "the origin is that of an app")
  static let originOpaque = origin("null", "the origin is opaque")
  static let originMissing = Fault("the client data have no origin") { (draft: inout ClientDataDraft) in
    draft.origin = nil
  }
  static let originNotText = Fault("the origin is an array") { (draft: inout ClientDataDraft) in
    draft.origin = .array([.string("https://raxx.app")])
  }

  static let crossOrigin = Fault("a page of another origin embeds the page") { (draft: inout ClientDataDraft) in
    draft.crossOrigin = .bool(true)
  }
  static let crossOriginNotTruthValue = Fault("crossOrigin is a string") { (draft: inout ClientDataDraft) in
    draft.crossOrigin = .string("false")
  }
  static let topOriginOfAnotherSite = Fault("a page of another site embeds the page") {
    (draft: inout ClientDataDraft) in
    draft.crossOrigin = .bool(true)
    draft.topOrigin = .string("https://raxx.example")
  }
  static let topOriginWithoutCrossOrigin = Fault("topOrigin is present and crossOrigin is false") {
    (draft: inout ClientDataDraft) in draft.topOrigin = .string("https://raxx.example")
  }

  static let challengeTwice = Fault("the challenge occurs twice") { (draft: inout ClientDataDraft) in
    if let challenge = draft.challenge { draft.more.append(("challenge", challenge)) }
  }

  private static func origin(_ origin: String, _ name: String) -> Fault {
    Fault(name) { (draft: inout ClientDataDraft) in draft.origin = .string(origin) }
  }

  // MARK: The bytes

  static let clientDataNotJSON = Fault("the client data are not JSON") { (draft: inout ClientDataBytes) in
    draft.bytes.removeLast()
  }
  static let clientDataNotObject = Fault("the client data are an array") { (draft: inout ClientDataBytes) in
    draft.bytes = [UInt8(ascii: "[")] + draft.bytes + [UInt8(ascii: "]")]
  }
  static let clientDataEmpty = Fault("the client data are empty") { (draft: inout ClientDataBytes) in draft.bytes = [] }
  static let clientDataTrailing = Fault("text follows the client data") { (draft: inout ClientDataBytes) in
    draft.bytes += [UInt8]("{}".utf8)
  }
  static let clientDataNotUTF8 = Fault("the client data are not UTF-8") { (draft: inout ClientDataBytes) in
    draft.bytes = [UInt8]("{\"a\":\"".utf8) + [0xff] + [UInt8]("\",".utf8) + draft.bytes.dropFirst()
  }
}

// Faults in the payment of client data (Secure Payment Confirmation, "CollectedClientPaymentData").

extension Fault {
  static let paymentLeftOut = Fault("the client data have no payment") { (draft: inout ClientDataDraft) in
    draft.more = []
  }
  static let paymentTotalMalformed = payment("the payment's total is a string", "total", "12.50")
  static let paymentOfAnotherRelyingParty = payment("the payment is for another RP ID", "rpId", "raxx.example")

  private static func payment(_ name: String, _ member: String, _ value: JSONDraft) -> Fault {
    Fault(name) { (draft: inout ClientDataDraft) in
      draft.more = draft.more.map { (name, payment) in
        guard case .object(let members) = payment else { return (name, payment) }
        return (name, .object(members.map { $0.name == member ? .init(name: member, value: value) : $0 }))
      }
    }
  }
}
