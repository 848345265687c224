// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

extension Check {
  static let documentChecks: [Check] =
    relatedOriginChecks + pageChecks + applicationChecks + [
      Check(
        id: "documents.unknown", title: "answers 404 for an unknown document below /.well-known/",
        references: ["RFC 8615 §3", "RFC 9110 §15.5.5"], severity: .low,
        rationale: "Programs take a page with status 200 for the document that they asked for.",
        advice: "Answer 404 for paths that do not exist, also in single-page applications."
      ) { (world) in
        let reply = try await world.unknownDocument()
        return reply.isSuccess ? .fail("an unknown document is answered with \(reply.status)") : .pass
      }
    ]

  private static let relatedOriginChecks: [Check] = [
    document(
      "documents.webauthn-json", "serves a valid list of related origins", .webAuthn, .medium,
      "Serve a JSON object with the member `origins`, a list of strings."
    ) { (document) in
      guard let origins = document.origins else { return "the document is not an object with the list `origins`" }
      return origins.isEmpty ? "the list is empty" : nil
    },
    document(
      "documents.webauthn-type", "serves the list of related origins as application/json", .webAuthn, .medium,
      "Set Content-Type to application/json."
    ) { (document) in document.reply.mediaType == "application/json" ? nil : "the type is \(document.type)" },
    document(
      "documents.webauthn-origins", "lists related origins with HTTPS only", .webAuthn, .medium,
      "List origins with https and without a path."
    ) { (document) in
      let wrong = try document.requireOrigins().first { (origin) in
        let rest = origin.hasPrefix("https://") ? origin.dropFirst("https://".count) : ""
        return rest.isEmpty || rest.contains("/") || rest.contains("*")
      }
      return wrong.map { "\($0) is not an origin with HTTPS" }
    },
    document(
      "documents.webauthn-labels", "lists origins of at most five different names", .webAuthn, .low,
      "Reduce the list: clients may stop after five registrable labels."
    ) { (document) in
      let labels = Set(
        try document.requireOrigins().compactMap { (origin) in
          let host = String(origin.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" && $0 != "/" })
          return PublicSuffixList.system?.registrableDomain(of: host)?.split(separator: ".").first
        })
      return labels.count > 5 ? "the origins have \(labels.count) different names" : nil
    },
    Check(
      id: "documents.webauthn-redirect", title: "redirects the list of related origins to HTTPS only",
      references: ["WebAuthn §5.11.1"], severity: .medium,
      rationale:
        "Clients fetch the list with HTTPS. They need not follow redirects, and treat a list without HTTPS as missing.",
      advice: "Serve the document at its own path with status 200, or redirect to an https URL."
    ) { (world) in
      let reply = try await world.fetch(.webAuthn)
      guard reply.isRedirect else { return .pass }
      guard let target = reply.header("location") else { return .cannotTell("the redirect has no target") }
      // A server without HTTPS is under test at its own address.
      let isSafe =
        target.hasPrefix("https://") || target.hasPrefix("/") || "\(target)/".hasPrefix("\(world.server.text)/")
      if isSafe { return .pass }
      try await world.demandOtherAnswer(than: reply)
      return .fail("\(WellKnownDocument.webAuthn.path) is a redirect to \(target)")
    },
  ]

  private static let pageChecks: [Check] = [
    document(
      "documents.passkey-endpoints-json", "serves valid passkey endpoints", .passkeyEndpoints, .low,
      "Serve a JSON object with the members `enroll` and `manage`."
    ) { (document) in document.json?.kind == .object ? nil : "the document is not a JSON object" },
    document(
      "documents.passkey-endpoints-urls", "names pages with HTTPS", .passkeyEndpoints, .low,
      "Use URLs with https."
    ) { (document) in
      guard let json = document.json, json.kind == .object else {
        throw CannotTell("the document is not a JSON object")
      }
      for name in ["enroll", "manage", "prfUsageDetails"] {
        guard let url = (try? json[name]?.string) ?? nil else { continue }
        if !url.hasPrefix("https://") { return "`\(name)` is \(url)" }
      }
      return nil
    },
  ]

  private static let applicationChecks: [Check] = [
    document(
      "documents.assetlinks-json", "serves valid asset links", .assetLinks, .medium,
      "Serve a JSON list of statements with `relation` and `target`."
    ) { (document) in
      guard let statements = try? document.json?.array else { return "the document is not a JSON list" }
      let isValid = statements.allSatisfy {
        (try? $0.require("relation").array) != nil && (try? $0.require("target")) != nil
      }
      return isValid ? nil : "a statement has no `relation` or no `target`"
    },
    document(
      "documents.assetlinks-fingerprints", "lists complete fingerprints of Android apps", .assetLinks, .medium,
      "List SHA-256 fingerprints as 32 pairs of capital hexadecimal digits with colons."
    ) { (document) in
      guard let statements = try? document.json?.array else { throw CannotTell("the document is not a JSON list") }
      for statement in statements {
        let listed = (try? statement["target"]?["sha256_cert_fingerprints"]?.array) ?? nil
        for entry in listed.map({ Array($0) }) ?? [] {
          let pairs = ((try? entry.string) ?? "").split(separator: ":", omittingEmptySubsequences: false)
          let isHex = pairs.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy { $0.isHexDigit && !$0.isLowercase } }
          if pairs.count != 32 || !isHex { return "a fingerprint has \(pairs.count) bytes or other characters" }
        }
      }
      return nil
    },
    redirect("documents.assetlinks-redirect", "serves the asset links without a redirect", .assetLinks),
    document(
      "documents.apple-json", "serves a valid Apple app site association", .apple, .medium,
      "Serve a JSON object with `webcredentials`, which has the list `apps`."
    ) { (document) in
      let apps = (try? document.json?["webcredentials"]?["apps"]?.array).map { Array($0) } ?? []
      let texts = apps.compactMap { try? $0.string }
      let isValid = !texts.isEmpty && texts.count == apps.count && texts.allSatisfy { $0.contains(".") }
      return isValid ? nil : "`webcredentials` lists no apps"
    },
    document(
      "documents.apple-type", "serves the Apple app site association as application/json", .apple, .low,
      "Set Content-Type to application/json."
    ) { (document) in document.reply.mediaType == "application/json" ? nil : "the type is \(document.type)" },
    redirect("documents.apple-redirect", "serves the Apple app site association without a redirect", .apple),
  ]

  private static func document(
    _ id: String, _ title: String, _ kind: WellKnownDocument, _ severity: Severity, _ advice: String,
    judge: @escaping @Sendable (ServedDocument) throws -> String?
  ) -> Check {
    Check(
      id: id, title: title, references: [kind.reference], severity: severity,
      rationale: "Clients ignore a document that is not valid, and passkeys stop working there.", advice: advice
    ) { (world) in
      let reply = try await world.fetch(kind)
      if reply.isRedirect { return .cannotTell("\(kind.path) is a redirect") }
      guard let fault = try judge(ServedDocument(reply: reply)) else { return .pass }
      try await world.demandOtherAnswer(than: reply)
      return .fail("\(kind.path): \(fault)")
    }
  }

  private static func redirect(_ id: String, _ title: String, _ kind: WellKnownDocument) -> Check {
    Check(
      id: id, title: title, references: [kind.reference], severity: .medium,
      rationale: "Clients do not follow redirects there, and treat the document as missing.",
      advice: "Serve the document at its own path with status 200."
    ) { (world) in
      let reply = try await world.fetch(kind)
      guard reply.isRedirect else { return .pass }
      try await world.demandOtherAnswer(than: reply)
      return .fail("\(kind.path) is a redirect")
    }
  }
}

/// A document below `/.well-known/`.
private enum WellKnownDocument: String, Sendable {
  case webAuthn = "webauthn"
  case passkeyEndpoints = "passkey-endpoints"
  case assetLinks = "assetlinks.json"
  case apple = "apple-app-site-association"

  var path: String { "/.well-known/\(rawValue)" }

  var reference: String {
    switch self {
    case .webAuthn: "WebAuthn §5.11"
    case .passkeyEndpoints: "W3C Passkey Endpoints"
    case .assetLinks: "Digital Asset Links"
    case .apple: "Apple, Supporting associated domains"
    }
  }
}

private struct ServedDocument {
  let reply: ServerReply

  var type: String { reply.mediaType ?? "missing" }

  var json: JSONValue? { try? JSON.parse(reply.body, maximumSize: reply.body.count) }

  /// The strings of the list `origins`; nil if it is not a list of strings.
  var origins: [String]? {
    guard let list = try? json?["origins"]?.array else { return nil }
    let elements = Array(list)
    let texts = elements.compactMap { try? $0.string }
    return texts.count == elements.count ? texts : nil
  }

  /// Returns the strings of the list `origins`.
  func requireOrigins() throws -> [String] {
    guard let origins else { throw CannotTell("the document has no list `origins`") }
    return origins
  }
}

extension AuditWorld {
  /// Asks for a document that no server has.
  func unknownDocument() async throws -> ServerReply {
    try await send(ServerRequest("GET", "/.well-known/passkey-audit-unknown"))
  }

  /// Fetches a document. The response is a success or a redirect.
  ///
  /// - Throws: ``CannotTell`` if the server does not have it, which is allowed, or if it belongs to another host.
  fileprivate func fetch(_ kind: WellKnownDocument) async throws -> ServerReply {
    let id = statedRelyingPartyID ?? relyingPartyID
    guard id == server.host else { throw CannotTell("\(kind.path) belongs to \(id), the RP ID, and not to this host") }
    let reply = try await send(ServerRequest("GET", kind.path))
    guard reply.isSuccess || reply.isRedirect else {
      throw CannotTell("the server has no \(kind.path), which is optional (\(reply.status))")
    }
    return reply
  }

  /// Throws ``CannotTell`` if a server answers an unknown path in the same way, so that it may not have the document.
  fileprivate func demandOtherAnswer(than reply: ServerReply) async throws {
    let unknown = try await unknownDocument()
    let isSame =
      reply.isRedirect
      ? unknown.isRedirect
      : unknown.isSuccess && unknown.mediaType == reply.mediaType
        && (unknown.mediaType == "text/html" || unknown.body == reply.body)
    if isSame { throw CannotTell("the server answers unknown paths in the same way, so it may not have the document") }
  }
}
