// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import WebAuthnRelyingParty

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// The expected verdict on client data, derived from §7.1 steps 6 to 11 and §7.2 steps 9 to 14 with only the JSON parser.
struct ClientDataRule {
  let recorded: VerificationCase

  /// Returns the refusal; nil where the client data are acceptable.
  func refusal(of text: [UInt8]) -> Verdict? {
    guard let object = try? JSON.parse(JSON.withoutByteOrderMark(text[...])), (try? object.members) != nil else {
      return malformed("client-data.malformed")
    }
    for name in ["type", "challenge", "origin"] {
      guard let value = try? object[name] else { return malformed("client-data.missing-member") }
      guard (try? value.utf8) != nil, name != "challenge" || (try? value.base64URL) != nil else {
        return malformed("client-data.invalid-member")
      }
    }
    let crossOrigin = try? object["crossOrigin"]?.unlessNull
    let topOrigin = try? object["topOrigin"]?.unlessNull
    guard crossOrigin == nil || (try? crossOrigin?.bool) != nil, topOrigin == nil || (try? topOrigin?.utf8) != nil
    else {
      return malformed("client-data.invalid-member")
    }
    return refusal(of: object, isWithin: (try? crossOrigin?.bool) == true, topOrigin: try? topOrigin?.string)
  }

  private func refusal(of object: JSONValue, isWithin: Bool, topOrigin: String?) -> Verdict? {
    let party = recorded.relyingParty
    if (try? object["type"]?.string) != type { return refused(.type) }
    if (try? object["challenge"]?.base64URL) != recorded.challenge { return refused(.challenge) }
    if !party.origins.contains((try? object["origin"]?.string) ?? "") { return refused(.origin) }
    if isWithin, !party.allowsCrossOrigin { return refused(.frame) }
    guard let topOrigin else { return nil }
    if !party.allowsCrossOrigin { return refused(.topOriginAtAll) }
    return party.topOrigins.contains(topOrigin) ? nil : refused(.topOrigin)
  }

  private var type: String { isRegistration ? "webauthn.create" : recorded.purpose.clientDataType }
  var isPayment: Bool { if case .payment = recorded.purpose { true } else { false } }
  private var isRegistration: Bool { recorded.ceremony == .registration }

  /// The check that fails.
  enum Fault {
    case type, challenge, origin, frame, topOriginAtAll, topOrigin
  }

  func malformed(_ cause: String) -> Verdict {
    isRegistration
      ? .refused(.registrationClientDataMalformed, step: 6, cause: cause)
      : .refused(.authenticationClientDataMalformed, step: 9, cause: cause)
  }

  func refused(_ fault: Fault) -> Verdict {
    switch (fault, isRegistration) {
    case (.type, true): .refused(.registrationTypeMismatch, step: 7)
    case (.challenge, true): .refused(.registrationChallengeMismatch, step: 8)
    case (.origin, true): .refused(.registrationOriginMismatch, step: 9)
    case (.frame, true): .refused(.registrationCrossOriginRefused, step: 10)
    case (.topOriginAtAll, true): .refused(.registrationCrossOriginRefused, step: 11)
    case (.topOrigin, true): .refused(.registrationTopOriginMismatch, step: 11)
    case (.type, false): .refused(.authenticationTypeMismatch, step: 10)
    case (.challenge, false): .refused(.authenticationChallengeMismatch, step: 11)
    case (.origin, false): .refused(.authenticationOriginMismatch, step: 12)
    case (.frame, false): .refused(.authenticationCrossOriginRefused, step: 13)
    case (.topOriginAtAll, false): .refused(.authenticationCrossOriginRefused, step: 14)
    case (.topOrigin, false): .refused(.authenticationTopOriginMismatch, step: 14)
    }
  }
}
