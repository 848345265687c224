// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnInspection
internal import WireFormats

// What a client can say wrongly about a ceremony (WebAuthn §5.8.1).

extension Fault {
  // MARK: The members

  static let typeOfRegistration = Fault("the client says that it was a registration") {
    (draft: inout ClientDataDraft) in
    draft.type = .string("webauthn.create")
  }
  static let typeOfAuthentication = Fault("the client says that it was a sign-in") { (draft: inout ClientDataDraft) in
    draft.type = .string("webauthn.get")
  }
  static let typeOfPayment = Fault("the client says that it was a payment") { (draft: inout ClientDataDraft) in
    draft.type = .string("payment.get")
  }
  static let typeUnknown = Fault("the client says that it was something unknown") { (draft: inout ClientDataDraft) in
    draft.type = .string("webauthn.Create")
  }
  static let typeMissing = Fault("the client data have no type") { (draft: inout ClientDataDraft) in draft.type = nil }
  static let typeNotText = Fault("the type is a number") { (draft: inout ClientDataDraft) in draft.type = .integer(1) }

  static let challengeOfAnotherCeremony = Fault("the challenge is another ceremony's") {
    (draft: inout ClientDataDraft) in draft.challenge = .bytes([UInt8](repeating: 0xc4, count: 32))
  }
  static let challengeCut = Fault("the challenge lacks its last byte") { (draft: inout ClientDataDraft) in
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

  static let originOfAnotherSite = origin("https://raxx.app.example", "the origin is another site's")
  static let originOfAnotherHost = origin("https://login.raxx.app", "the origin is another host of the domain")
  static let originOfAnotherPort = origin("https://raxx.app:8443", "the origin has another port")
  static let originWithDefaultPort = origin(
    "https://raxx.app:443", "the origin is not serialized: it names a default port")
  static let originWithoutEncryption = origin("http://raxx.app", "the origin is not encrypted")
  static let originWithPath = origin("https://raxx.app/", "the origin has a path")
  static let originInCapitals = origin("https://RAXX.app", "the origin is written in capitals")
  static let originOfAnApp = origin(
    "android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", "the origin is an app's")
  static let originOpaque = origin("null", "the origin is opaque")
  static let originMissing = Fault("the client data have no origin") { (draft: inout ClientDataDraft) in
    draft.origin = nil
  }
  static let originNotText = Fault("the origin is a list") { (draft: inout ClientDataDraft) in
    draft.origin = .array([.string("https://raxx.app")])
  }

  static let crossOrigin = Fault("the page was inside a page of another origin") { (draft: inout ClientDataDraft) in
    draft.crossOrigin = .bool(true)
  }
  static let crossOriginNotTruthValue = Fault("crossOrigin is a text") { (draft: inout ClientDataDraft) in
    draft.crossOrigin = .string("false")
  }
  static let topOriginOfAnotherSite = Fault("the page was inside a page of another site") {
    (draft: inout ClientDataDraft) in
    draft.crossOrigin = .bool(true)
    draft.topOrigin = .string("https://raxx.example")
  }
  static let topOriginWithoutCrossOrigin = Fault("a top origin is named and crossOrigin is false") {
    (draft: inout ClientDataDraft) in draft.topOrigin = .string("https://raxx.example")
  }

  static let challengeTwice = Fault("the challenge is there twice") { (draft: inout ClientDataDraft) in
    if let challenge = draft.challenge { draft.more.append(("challenge", challenge)) }
  }

  private static func origin(_ origin: String, _ name: String) -> Fault {
    Fault(name) { (draft: inout ClientDataDraft) in draft.origin = .string(origin) }
  }

  // MARK: The bytes

  static let clientDataNotJSON = Fault("the client data are no JSON") { (draft: inout ClientDataBytes) in
    draft.bytes.removeLast()
  }
  static let clientDataNotObject = Fault("the client data are a list") { (draft: inout ClientDataBytes) in
    draft.bytes = [UInt8(ascii: "[")] + draft.bytes + [UInt8(ascii: "]")]
  }
  static let clientDataEmpty = Fault("the client data are empty") { (draft: inout ClientDataBytes) in draft.bytes = [] }
  static let clientDataTrailing = Fault("something stands behind the client data") { (draft: inout ClientDataBytes) in
    draft.bytes += [UInt8]("{}".utf8)
  }
  static let clientDataNotUTF8 = Fault("the client data are not UTF-8") { (draft: inout ClientDataBytes) in
    draft.bytes = [UInt8]("{\"a\":\"".utf8) + [0xff] + [UInt8]("\",".utf8) + draft.bytes.dropFirst()
  }
}
