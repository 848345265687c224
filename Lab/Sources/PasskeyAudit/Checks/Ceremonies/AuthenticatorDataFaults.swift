// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection
internal import WebAuthnTypes

// Faults in authenticator data (WebAuthn §6.1) and in the JSON of responses, which are the same in both ceremonies.

extension CeremonyFault {
  static let relyingPartyOther = CeremonyFault(
    "rp-id-other", "the RP ID hash of another site", .critical,
    why: "A passkey of another site could be used here.",
    advice: "Compare `rpIdHash` with the SHA-256 digest of your RP ID."
  ) { (_) in
    [
      Fault { (draft: inout AuthenticatorDataDraft) in
        draft.relyingPartyIDHash = Digest.sha256("audit.example".utf8)
      }
    ]
  }

  static let relyingPartyEmpty = CeremonyFault(
    "rp-id-empty", "an RP ID hash of zeros", .high,
    why: "A server whose RP ID is not configured accepts passkeys of any site.",
    advice: "Compare `rpIdHash` with the SHA-256 digest of your RP ID."
  ) { (_) in
    [
      Fault { (draft: inout AuthenticatorDataDraft) in
        draft.relyingPartyIDHash = [UInt8](repeating: 0, count: 32)
      }
    ]
  }

  static let userNotPresent = CeremonyFault(
    "user-presence", "the flag UP not set", .medium,
    why: "Malware that reaches an authenticator could use it without the user.",
    advice: "Require the flag UP, except in a conditional registration."
  ) { (_) in
    [Fault { (draft: inout AuthenticatorDataDraft) in draft.flags.remove(.userPresent) }]
  }

  static let userNotVerified = CeremonyFault(
    "user-verification", "the flag UV not set, although the options require it", .high,
    why: "A thief who holds the device signs in without PIN or biometrics; a second factor is lost.",
    advice: "Require the flag UV if the options have `userVerification: required`."
  ) { (context) in
    guard context.begun.userVerification == "required" else {
      throw CannotTell("the options do not require user verification")
    }
    return [Fault { (draft: inout AuthenticatorDataDraft) in draft.flags.remove(.userVerified) }]
  }

  static let backupState = CeremonyFault(
    "backup-state", "the flag BS set without BE", .low,
    why: "No authenticator sends it, so the response was not made by one.",
    advice: "Refuse a response with BS and without BE."
  ) { (_) in [Fault { (draft: inout AuthenticatorDataDraft) in draft.flags.insert(.backedUp) }] }

  static let extensionsMissing = CeremonyFault(
    "extension-flag", "the flag ED set and no extension outputs", .low,
    why: "A parser that ignores a promise of more data misreads what follows.",
    advice: "Parse authenticator data completely, as the flags describe them."
  ) { (_) in
    [
      Fault { (draft: inout AuthenticatorDataBytes) in
        if draft.bytes.count > 32 { draft.bytes[32] |= AuthenticatorFlags.extensionData.rawValue }
      }
    ]
  }

  static let authenticatorDataCut = CeremonyFault(
    "authenticator-data-cut", "authenticator data of 36 bytes", .low,
    why: "A parser that reads behind the end fails in unexpected ways.",
    advice: "Check the length before each read, and answer 400.", isMalformed: true
  ) { (_) in
    [Fault { (draft: inout AuthenticatorDataBytes) in draft.bytes = Array(draft.bytes.prefix(36)) }]
  }

  static let authenticatorDataTrailing = CeremonyFault(
    "authenticator-data-trailing", "a byte after the authenticator data", .low,
    why: "A parser that ignores trailing bytes accepts several encodings of one message.",
    advice: "Refuse authenticator data with trailing bytes."
  ) { (_) in [Fault { (draft: inout AuthenticatorDataBytes) in draft.bytes.append(0) }] }

  // MARK: JSON

  static let typeNotPublicKey = CeremonyFault(
    "credential-type", "another `type` than `public-key`", .low,
    why: "A credential of another type is verified by other rules.",
    advice: "Require `type` to be `public-key`."
  ) { (_) in [Fault { (draft: inout ResponseDraft) in draft.type = "password" }] }

  static let idsDisagree = CeremonyFault(
    "ids-disagree", "different `id` and `rawId`", .low,
    why: "Code that reads one and code that reads the other act on different passkeys.",
    advice: "Refuse a response whose `id` is not the base64url of `rawId`."
  ) { (_) in
    let other = try AuditRandom.bytes(32)
    return [Fault { (draft: inout ResponseDraft) in draft.rawID = .bytes(other) }]
  }

  static let malformedAdvice = "Check the type and the size of each member before use, and answer 400."
  static let malformedReason = "An internal error shows that input is used before it is checked."

  static let memberMissing = CeremonyFault(
    "member-missing", "no `clientDataJSON`", .low, why: malformedReason, advice: malformedAdvice, isMalformed: true
  ) { (_) in [Fault { (draft: inout ResponseDraft) in draft["clientDataJSON"] = nil }] }

  static let memberWrongType = CeremonyFault(
    "member-type", "a number as `clientDataJSON`", .low, why: malformedReason, advice: malformedAdvice,
    isMalformed: true
  ) { (_) in [Fault { (draft: inout ResponseDraft) in draft["clientDataJSON"] = .integer(1) }] }

  static let memberNotBase64 = CeremonyFault(
    "member-encoding", "a `clientDataJSON` that is not base64url", .low, why: malformedReason,
    advice: malformedAdvice, isMalformed: true
  ) { (_) in [Fault { (draft: inout ResponseDraft) in draft["clientDataJSON"] = "%%%" }] }

  static let responseNotObject = CeremonyFault(
    "response-type", "a string as `response`", .low, why: malformedReason, advice: malformedAdvice, isMalformed: true
  ) { (_) in
    [
      Fault { (draft: inout ResponseJSON) in
        guard case .object(let members) = draft.json else { return }
        draft.json = .object(members.map { $0.name == "response" ? .init(name: "response", value: "response") : $0 })
      }
    ]
  }
}
