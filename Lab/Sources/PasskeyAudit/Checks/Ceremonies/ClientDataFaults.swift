// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection

// Faults in client data (WebAuthn §5.8.1), which are the same in both ceremonies.

extension CeremonyFault {
  static func type(_ other: String) -> CeremonyFault {
    CeremonyFault(
      "type-other", "the type of the other ceremony", .high,
      why: "A response that the user gave for one ceremony could be used in the other.",
      advice: "Compare `type` with the exact string of the ceremony."
    ) { (_) in [Fault { (draft: inout ClientDataDraft) in draft.type = .string(other) }] }
  }

  static let typeUnknown = CeremonyFault(
    "type-unknown", "an unknown type", .medium,
    why: "A client of another protocol could sign the client data for another purpose.",
    advice: "Compare `type` byte by byte; upper and lower case differ."
  ) { (_) in [Fault { (draft: inout ClientDataDraft) in draft.type = "webauthn.Unknown" }] }

  static let typeMissing = CeremonyFault(
    "type-missing", "client data without a type", .low,
    why: "A check that is skipped if the member is missing is no check.", advice: "Refuse client data without `type`."
  ) { (_) in [Fault { (draft: inout ClientDataDraft) in draft.type = nil }] }

  static let challengeOther = CeremonyFault(
    "challenge-other", "another challenge", .critical,
    why: "An attacker who once obtained a response could use it at any time.",
    advice: "Compare `challenge` with the stored challenge of this ceremony."
  ) { (_) in
    let other = try AuditRandom.bytes(32)
    return [Fault { (draft: inout ClientDataDraft) in draft.challenge = .bytes(other) }]
  }

  static let challengeCut = CeremonyFault(
    "challenge-cut", "a challenge whose last byte is missing", .high,
    why: "A comparison of prefixes accepts challenges that the server did not issue.",
    advice: "Compare all bytes of the challenge, and its length."
  ) { (context) in
    let cut = Array(context.begun.challenge.dropLast())
    return [Fault { (draft: inout ClientDataDraft) in draft.challenge = .bytes(cut) }]
  }

  static let challengeEmpty = CeremonyFault(
    "challenge-empty", "an empty challenge", .high, why: "An empty value often equals a value that was never stored.",
    advice: "Compare all bytes of the challenge, and its length."
  ) { (_) in [Fault { (draft: inout ClientDataDraft) in draft.challenge = "" }] }

  static let challengeMissing = CeremonyFault(
    "challenge-missing", "client data without a challenge", .high,
    why: "A check that is skipped if the member is missing is no check.",
    advice: "Refuse client data without `challenge`."
  ) { (_) in [Fault { (draft: inout ClientDataDraft) in draft.challenge = nil }] }

  private static let originAdvice =
    "Compare `origin` as a whole string with the list of your own origins; do not search in it or parse it."

  private static func origin(
    _ name: String, _ what: String, _ severity: Severity, why: String,
    _ other: @escaping @Sendable (Context) -> String
  ) -> CeremonyFault {
    CeremonyFault(name, what, severity, why: why, advice: originAdvice) { (context) in
      let other = other(context)
      return [Fault { (draft: inout ClientDataDraft) in draft.origin = .string(other) }]
    }
  }

  static let origins = [
    origin(
      "origin-other-site", "the origin of another site", .critical,
      why: "A phishing site could pass on the responses of its visitors."
    ) { (_) in "https://audit.example" },
    origin(
      "origin-prefix", "an origin whose host begins with the server's", .critical,
      why: "An attacker chooses a host name that begins with the server's host name."
    ) { (context) in
      let host = context.authority.prefix { $0 != ":" }
      return "\(context.scheme)://\(host).audit.example\(context.authority.dropFirst(host.count))"
    },
    origin(
      "origin-suffix", "an origin whose host ends with the server's", .critical,
      why: "An attacker registers a domain whose name ends with the server's name."
    ) { "\($0.scheme)://audit\($0.authority)" },
    origin(
      "origin-scheme", "the server's origin with another scheme", .medium,
      why: "A network attacker can change pages that are loaded without encryption."
    ) { "\($0.scheme == "https" ? "http" : "https")://\($0.authority)" },
    origin(
      "origin-port", "the server's origin with another port", .medium,
      why: "Another service on the same host could obtain sign-ins."
    ) { "\($0.scheme)://\($0.authority.prefix { $0 != ":" }):1" },
    origin(
      "origin-subdomain", "the origin of a subdomain", .high,
      why: "A subdomain that someone else controls, such as a user's page, could obtain sign-ins."
    ) { "\($0.scheme)://audit.\($0.authority)" },
    origin(
      "origin-opaque", "the opaque origin `null`", .high,
      why: "A sandboxed frame of any site has this origin."
    ) { (_) in "null" },
    origin(
      "origin-slash", "the server's origin with a slash after it", .low,
      why: "No browser sends it, so the comparison is looser than it has to be."
    ) { "\($0.origin)/" },
  ]

  static let originMissing = CeremonyFault(
    "origin-missing", "client data without an origin", .high,
    why: "A check that is skipped if the member is missing is no check.", advice: "Refuse client data without `origin`."
  ) { (_) in [Fault { (draft: inout ClientDataDraft) in draft.origin = nil }] }

  static let crossOrigin = CeremonyFault(
    "cross-origin", "`crossOrigin` true", .medium,
    why: "A page of another site can embed the server's page and lead the user to confirm unknowingly.",
    advice: "Refuse `crossOrigin: true`, unless your pages are meant to be embedded."
  ) { (_) in [Fault { (draft: inout ClientDataDraft) in draft.crossOrigin = true }] }

  static let topOrigin = CeremonyFault(
    "top-origin", "the `topOrigin` of another site", .medium,
    why: "A page of another site can embed the server's page and lead the user to confirm unknowingly.",
    advice: "Refuse `topOrigin`, or compare it with the sites that may embed your pages."
  ) { (_) in
    [
      Fault { (draft: inout ClientDataDraft) in
        draft.topOrigin = "https://audit.example"
      }
    ]
  }

  static let tokenBinding = CeremonyFault(
    "token-binding", "the member `tokenBinding` of Level 2", .low,
    why: "Level 3 ignores the member. A server that fails on it locks out the users of clients that send it.",
    advice: "Ignore `tokenBinding`, as Level 3 does, or refuse the response.", isMalformed: true,
    variants: [
      JSONDraft.object(["status": "present", "id": "YXVkaXQ"]), .object(["status": "supported"]), .string("present"),
      .null,
    ].map { (value) in
      { (_) in [Fault { (draft: inout ClientDataDraft) in draft.more.append(("tokenBinding", value)) }] }
    }
  ).with { $0.mayBeAccepted = true }

  static let challengeTwice = CeremonyFault(
    "client-data-duplicate", "two challenges in the client data", .low,
    why: "Two parsers that choose different members disagree about what was signed.",
    advice: "Use a JSON parser that refuses duplicate members, or one that takes the last."
  ) { (_) in
    let other = try AuditRandom.bytes(32)
    return [Fault { (draft: inout ClientDataDraft) in draft.more.append(("challenge", .bytes(other))) }]
  }

  static let clientDataNotJSON = CeremonyFault(
    "client-data-not-json", "client data that are not JSON", .low,
    why: "Malformed input that reaches deeper code causes errors that are hard to find.",
    advice: "Parse client data strictly, and answer 400 for malformed ones.", isMalformed: true
  ) { (_) in [Fault { (draft: inout ClientDataBytes) in draft.bytes.removeLast() }] }
}
