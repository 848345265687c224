// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// One recorded ceremony and what should come of it: a case of a `webauthn-vectors/1` file.
struct VerificationCase {
  let id: String
  let ceremony: Ceremony
  let challenge: [UInt8]
  let relyingParty: Party
  let userVerification: String
  let algorithms: [COSEAlgorithm]?
  let isConditional: Bool

  /// The extensions that were asked for, as the options had them.
  let extensions: ClientExtensions

  /// The certificates to believe, where the path is to be judged at all.
  let trustAnchors: [[UInt8]]?
  let time: Timestamp?

  /// The response, as text.
  let response: Bytes
  let credential: Credential?
  let expectation: Expectation

  enum Ceremony: String {
    case registration
    case authentication
  }

  struct Party {
    let id: String
    let origins: [String]
    let topOrigins: [String]
    let allowsCrossOrigin: Bool
    let appID: String?
  }

  /// What the relying party stored at the registration.
  struct Credential {
    let id: [UInt8]
    let publicKey: [UInt8]
    let signCount: UInt32
    let userHandle: [UInt8]?
    let backupEligible: Bool?
  }

  /// What should come of it.
  struct Expectation {
    let verified: Bool
    /// Whether either answer can be defended.
    let isOptional: Bool
    let code: String?
    let step: Int?
    /// What the result says, member by member, as far as the case says it.
    let members: JSONValue
  }
}

extension VerificationCase {
  init(_ value: JSONValue) throws(WireError) {
    id = try value.require("id").string
    let ceremony = try value.require("ceremony")
    guard let known = Ceremony(rawValue: try ceremony.string) else {
      throw WireError(.jsonWrongType, at: ceremony.offset)
    }
    self.ceremony = known
    challenge = try value.require("challenge").base64URL
    relyingParty = try Party(value.require("rp"))
    userVerification = try value["userVerification"]?.string ?? "preferred"
    algorithms = try value["algorithms"]?.elements { (item) throws(WireError) in
      COSEAlgorithm(rawValue: try item.int64)
    }
    isConditional = try value["mediation"]?.string == "conditional"
    extensions = try Self.extensions(value["extensions"])
    trustAnchors = try value["trustAnchors"]?.elements { (item) throws(WireError) in try item.base64URL }
    if let time = try value["time"] { self.time = try Timestamp(rfc3339: try time.string) } else { time = nil }
    response = try value.require("response").encoded
    credential = if let credential = try value["credential"] { try Credential(credential) } else { nil }
    expectation = try Expectation(value.require("expect"), caseClass: value["class"]?.string)
  }
}

extension VerificationCase {
  private static func extensions(_ value: JSONValue?) throws(WireError) -> ClientExtensions {
    guard let value else { return [:] }
    do throws(FormatError) {
      return try ClientExtensions(json: value.encoded)
    } catch {
      throw WireError(.jsonWrongType, at: value.offset)
    }
  }
}

extension VerificationCase.Party {
  init(_ value: JSONValue) throws(WireError) {
    func list(_ name: String) throws(WireError) -> [String] {
      try value[name]?.elements { (item) throws(WireError) in try item.string } ?? []
    }
    id = try value.require("id").string
    origins = try list("origins")
    topOrigins = try list("topOrigins")
    allowsCrossOrigin = try value["crossOrigin"]?.bool ?? !topOrigins.isEmpty
    appID = try value["appId"]?.string
  }
}

extension VerificationCase.Credential {
  init(_ value: JSONValue) throws(WireError) {
    id = try value.require("id").base64URL
    publicKey = try value.require("publicKey").base64URL
    signCount = try value["signCount"]?.integer() ?? 0
    userHandle = try value["userHandle"]?.unlessNull?.base64URL
    backupEligible = try value["backupEligible"]?.bool
  }
}

extension VerificationCase.Expectation {
  init(_ value: JSONValue, caseClass: String?) throws(WireError) {
    verified = try value.require("verified").bool
    isOptional = caseClass == "may"
    code = try value["code"]?.string
    step = try value["step"]?.integer()
    members = value
  }
}

extension JSONValue {
  fileprivate func elements<Element>(
    _ read: (JSONValue) throws(WireError) -> Element
  ) throws(WireError) -> [Element] {
    var elements: [Element] = []
    for item in try array { elements.append(try read(item)) }
    return elements
  }
}
