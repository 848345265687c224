// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// Faults in client data (WebAuthn §5.8.1).

extension Fault {
  private static let clientData = FaultStage<ClientDataDraft>()
  private static let clientDataBytes = FaultStage<ClientDataBytes>()

  // MARK: The members

  package static let typeOfRegistration = clientData("the type is webauthn.create") {
    $0.type = .string("webauthn.create")
  }
  package static let typeOfAuthentication = clientData("the type is webauthn.get") { $0.type = .string("webauthn.get") }
  package static let typeOfPayment = clientData("the type is payment.get") { $0.type = .string("payment.get") }
  package static let typeUnknown = clientData("the type is unknown") { $0.type = .string("webauthn.Create") }
  package static let typeMissing = clientData("the client data have no type") { $0.type = nil }
  package static let typeNotText = clientData("the type is a number") { $0.type = .integer(1) }

  package static let challengeOfAnotherCeremony = clientData("the challenge is that of another ceremony") {
    $0.challenge = .bytes([UInt8](repeating: 0xc4, count: 32))
  }
  package static let challengeCut = clientData("the last byte of the challenge is missing") { (draft) in
    if case .bytes(let bytes)? = draft.challenge { draft.challenge = .bytes(bytes.dropLast()) }
  }
  package static let challengeEmpty = clientData("the challenge is empty") { $0.challenge = .string("") }
  package static let challengePadded = clientData("the challenge is padded base64url") { (draft) in
    if case .bytes(let bytes)? = draft.challenge { draft.challenge = .string(Base64URL.encode(bytes) + "=") }
  }
  package static let challengeMissing = clientData("the client data have no challenge") { $0.challenge = nil }

  package static let originOfAnotherSite = origin("https://raxx.app.example", "the origin is that of another site")
  package static let originOfAnotherHost = origin("https://login.raxx.app", "the origin is another host of the domain")
  package static let originOfAnotherPort = origin("https://raxx.app:8443", "the origin has another port")
  package static let originWithDefaultPort = origin(
    "https://raxx.app:443", "the origin has the default port, which serialized origins omit")
  package static let originWithoutEncryption = clientData("the origin is http") { (draft) in
    let secure = "https:"
    guard case .string(let origin)? = draft.origin, origin.hasPrefix(secure) else {
      draft.origin = .string("http://raxx.app")
      return
    }
    draft.origin = .string("http:" + origin.dropFirst(secure.count))
  }
  package static let originWithPath = origin("https://raxx.app/", "the origin has a path")
  package static let originInCapitals = origin("https://RAXX.app", "the origin is in upper case")
  package static let originOfAnApp = origin(
    "android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", "the origin is that of an app")
  package static let originOpaque = origin("null", "the origin is opaque")
  package static let originMissing = clientData("the client data have no origin") { $0.origin = nil }
  package static let originNotText = clientData("the origin is an array") {
    $0.origin = .array([.string("https://raxx.app")])
  }

  package static let crossOrigin = clientData("a page of another origin embeds the page") {
    $0.crossOrigin = .bool(true)
  }
  package static let crossOriginNotTruthValue = clientData("crossOrigin is a string") {
    $0.crossOrigin = .string("false")
  }
  package static let topOriginOfAnotherSite = clientData("a page of another site embeds the page") { (draft) in
    draft.crossOrigin = .bool(true)
    draft.topOrigin = .string("https://raxx.example")
  }
  package static let topOriginWithoutCrossOrigin = clientData("topOrigin is present and crossOrigin is false") {
    $0.topOrigin = .string("https://raxx.example")
  }

  package static let challengeTwice = clientData("the challenge occurs twice") { (draft) in
    if let challenge = draft.challenge { draft.more.append(("challenge", challenge)) }
  }

  private static func origin(_ origin: String, _ name: String) -> Fault {
    clientData(name) { $0.origin = .string(origin) }
  }

  // MARK: The bytes

  package static let clientDataNotJSON = clientDataBytes("the client data are not JSON") { $0.bytes.removeLast() }
  package static let clientDataNotObject = clientDataBytes("the client data are an array") {
    $0.bytes = [UInt8(ascii: "[")] + $0.bytes + [UInt8(ascii: "]")]
  }
  package static let clientDataEmpty = clientDataBytes("the client data are empty") { $0.bytes = [] }
  package static let clientDataTrailing = clientDataBytes("text follows the client data") { (draft) in
    draft.bytes += [UInt8]("{}".utf8)
  }
  package static let clientDataNotUTF8 = clientDataBytes("the client data are not UTF-8") { (draft) in
    draft.bytes = [UInt8]("{\"a\":\"".utf8) + [0xff] + [UInt8]("\",".utf8) + draft.bytes.dropFirst()
  }
}

// Faults in the payment of client data (Secure Payment Confirmation, "CollectedClientPaymentData").

extension Fault {
  package static let paymentLeftOut = clientData("the client data have no payment") { $0.more = [] }
  package static let paymentTotalMalformed = payment("the payment's total is a string", "total", "12.50")
  package static let paymentOfAnotherRelyingParty = payment("the payment is for another RP ID", "rpId", "raxx.example")

  private static func payment(_ name: String, _ member: String, _ value: JSONDraft) -> Fault {
    clientData(name) { (draft) in
      draft.more = draft.more.map { (name, payment) in
        guard case .object(let members) = payment else { return (name, payment) }
        return (name, .object(members.map { $0.name == member ? .init(name: member, value: value) : $0 }))
      }
    }
  }
}
