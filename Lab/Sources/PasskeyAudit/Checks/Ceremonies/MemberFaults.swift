// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection

// Members of responses that are malformed or too large, and extension outputs that the options do not ask for.

extension CeremonyFault {
  /// Faults of registrations, with the step of WebAuthn §7.1 that refuses them.
  static let registrationMembers: [(Int, CeremonyFault)] = [
    (13, oversized(.attestationObject, name: "member-oversized")), (6, oversized(.clientData)),
    (25, idOversized.with { $0.mayBeAccepted = true }), (13, malformed(.attestationObject)), (5, malformed(.id)),
    (5, malformed(.rawID)), (28, extensionsUnsolicited), (4, extensionResultsMalformed), (6, tokenBinding),
  ]

  /// Faults of sign-ins, with the step of WebAuthn §7.2 that refuses them.
  static let authenticationMembers: [(Int, CeremonyFault)] = [
    (21, oversized(.signature, name: "member-oversized")), (9, oversized(.clientData)), (6, idOversized),
    (7, oversized(.authenticatorData)), (6, oversized(.userHandle)), (7, malformed(.authenticatorData)),
    (7, malformed(.signature)), (6, malformed(.userHandle)), (6, malformed(.id)), (6, malformed(.rawID)),
    (23, extensionsUnsolicited), (4, extensionResultsMalformed), (9, tokenBinding),
  ]

  /// A member of the response with values of other types and encodings.
  static func malformed(_ member: ResponseMember) -> CeremonyFault {
    var values: [JSONDraft] = [.integer(1), .null, .object([JSONDraft.Member]()), .string("%%%")]
    // Another check sends an empty signature.
    if member != .signature { values.append(.string("")) }
    return CeremonyFault(
      "\(member.name)-malformed", "a malformed `\(member.rawValue)`", .low, why: malformedReason,
      advice: malformedAdvice, isMalformed: true,
      variants: values.map { (value) in
        { (_) in [Fault { (draft: inout ResponseDraft) in draft[member] = value }] }
      }
    ).with { $0.mayBeAccepted = member.mayBeIgnored }
  }

  /// A member of 32 KiB: less than most servers accept for a whole request.
  static func oversized(_ member: ResponseMember, name: String? = nil) -> CeremonyFault {
    CeremonyFault(
      name ?? "\(member.name)-oversized", "32 KiB in `\(member.rawValue)`", .low,
      why: "Work on oversized members costs memory and time, and their failure is often not handled.",
      advice: malformedAdvice, isMalformed: true
    ) { (_) in
      [Fault { (draft: inout ResponseDraft) in draft[member] = .bytes([UInt8](repeating: 0, count: 32_768)) }]
    }.with { $0.mayBeAccepted = member.mayBeIgnored }
  }

  /// IDs of 16 KiB, which agree with each other.
  static let idOversized = CeremonyFault(
    "id-oversized", "16 KiB in `id` and `rawId`", .low,
    why: "A look-up of an oversized key costs time, and its failure is often not handled.",
    advice: "Refuse credential IDs of more than 1,023 bytes before you look them up.", isMalformed: true
  ) { (_) in
    [Fault { (draft: inout ResponseDraft) in draft.setID([UInt8](repeating: 0x61, count: 16_384)) }]
  }

  static let extensionsUnsolicited = CeremonyFault(
    "extension-unsolicited", "extension outputs that the options do not ask for", .low,
    why: "Clients add extensions on their own. Users of such a client cannot use their passkeys.",
    advice: "Ignore outputs of extensions that you did not ask for, or refuse the response.", isMalformed: true
  ) { (_) in
    [
      Fault { (draft: inout AuthenticatorDataDraft) in draft.extensions = ["auditUnknown": true] },
      Fault { (draft: inout ResponseDraft) in
        draft.clientExtensionResults = .object(["auditUnknown": .object(["value": .integer(1)])])
      },
    ]
  }.with { $0.mayBeAccepted = true }

  static let extensionResultsMalformed = CeremonyFault(
    "extension-results-malformed", "malformed `clientExtensionResults`", .low, why: malformedReason,
    advice: malformedAdvice, isMalformed: true,
    variants: [JSONDraft.null, .integer(1), .string("audit"), .array([.integer(1)])].map { (value) in
      { (_) in [Fault { (draft: inout ResponseDraft) in draft.clientExtensionResults = value }] }
    }
  ).with { $0.mayBeAccepted = true }
}

/// A member of a response that faults change.
enum ResponseMember: String {
  case id
  case rawID = "rawId"
  case clientData = "clientDataJSON"
  case attestationObject
  case authenticatorData
  case signature
  case userHandle

  /// The part of a check's ID.
  var name: String {
    switch self {
    case .id: "id"
    case .rawID: "raw-id"
    case .clientData: "client-data"
    case .attestationObject: "attestation-object"
    case .authenticatorData: "authenticator-data"
    case .signature: "signature"
    case .userHandle: "user-handle"
    }
  }

  /// Whether a server can do without the member. Other checks judge whether a server compares it.
  var mayBeIgnored: Bool { [.id, .rawID, .userHandle].contains(self) }
}

extension ResponseDraft {
  fileprivate subscript(member: ResponseMember) -> JSONDraft? {
    get {
      switch member {
      case .id: id
      case .rawID: rawID
      default: self[member.rawValue]
      }
    }
    set {
      switch member {
      case .id: id = newValue
      case .rawID: rawID = newValue
      default: self[member.rawValue] = newValue
      }
    }
  }
}
