// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyHTTPServer
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension ServerConfiguration {
  /// The effective settings for display. Every setting appears in one of the rows.
  var rows: [[String]] {
    partyRows + listeningRows + storeRows + policyRows + attestationRows + applicationRows + site.rows
      + deliveries.rows
  }

  private var partyRows: [[String]] {
    [
      ["relying party", "\(relyingParty.id), \(relyingParty.name.escapedForTerminal)"],
      ["profile", profile.name],
      ["origins", Self.list(relyingParty.origins.map(\.text))],
      ["top origins", Self.list(topOrigins.map(\.text))],
    ]
  }

  /// The origins allowed to embed our pages in an iframe.
  var topOrigins: [WebOrigin] {
    if case .allowed(let allowed) = relyingParty.policy.embedding { allowed } else { [] }
  }

  private var tokens: String {
    let cookie = profile.sessions.cookie
    let name = "\(cookie.prefix == .host ? "__Host-" : "")\(cookie.name)"
    return profile.sessions.deliveries
      .map { $0 == .bearer ? "in a header" : "in a cookie, \(name) under TLS" }
      .joined(separator: "; or ")
  }

  private var listeningRows: [[String]] {
    let header = trustedProxies.header == .forwarded ? "forwarded" : "x-forwarded-for"
    let proxies = Self.list(trustedProxies.blocks.map(\.description))
    return [
      ["listens at", "\(listen), \(tls == nil ? "plain HTTP" : "TLS")"],
      ["hsts", transportSecurity.rawValue],
      ["trusted proxies", trustedProxies.blocks.isEmpty ? proxies : "\(proxies), by \(header)"],
      ["access log", accessLog == "-" ? "standard output" : accessLog.escapedForTerminal],
      ["log names", accessLogIdentity == .both ? "request-id, address" : accessLogIdentity.rawValue],
      ["audit log", auditLog.map { "\($0), or else \(auditLogFailure.rawValue)" } ?? "none"],
      ["witnesses", Self.list(auditWitnesses.map(\.description))],
      ["audit tiles", servesAuditTiles ? "on" : "off"],
      ["metrics", metrics.rawValue],
      ["debug page", servesDebugPage ? "on" : "off"],
      ["delivery", deliveryPlace == .here ? "in this process" : "by passkey-server deliver"],
      [
        "connections",
        "\(serverLimits.connections), \(serverLimits.connectionsPerAddress) per address",
      ],
    ]
  }

  private var storeRows: [[String]] {
    [["database", "\(database)"], ["secret", secretPath.escapedForTerminal]]
  }

  private var policyRows: [[String]] {
    let sessions = policy.sessions
    return [
      ["sign-up", policy.signUp.rawValue],
      ["tokens", tokens],
      ["sessions", "\(Self.time(sessions.lifetime)), \(sessions.maximumCount) per account"],
      ["idle limit", sessions.idleLimit.map(Self.time) ?? "none"],
      [
        "verification",
        sessions.verificationLimit.map { "after \(Self.time($0)) without a request" } ?? "at sign-in only",
      ],
      ["warning", "\(Self.time(sessions.warning)) before a session ends"],
      ["refresh", sessions.renewal.map { Self.time($0.tokenLifetime) } ?? "none"],
      ["step-up", Self.time(policy.grantLifetime)],
      ["recovery", "\(recovery), \(policy.recoveryDisablesPasskeys ? "disables" : "keeps") other passkeys"],
      ["email", email],
      ["invitations", invitations],
      ["clone signal", policy.cloneSignal.rawValue],
      ["backup signal", policy.backupSignal.rawValue],
      ["addresses", "kept for \(policy.personalDetailRetention.map(Self.time) ?? "ever")"],
      ["ceremonies", "\(limits.perAddress.burst) a minute per address, \(limits.perAccount.burst) per account"],
      ["offered", "\(policy.offeredPasskeyCount) passkeys per account"],
      ["known clients", "remembered for \(Self.time(limits.knownClientLifetime))"],
    ]
  }

  private var email: String {
    let lifetime = Self.time(policy.contact.codeLifetime)
    // AuthService+SignUpVerification
    let exception = "except with an invitation to the address, codes valid for \(lifetime)"
    return switch policy.contact.verification {
    case .required: "verified before the account exists, \(exception)"
    case .beforeFirstUse: "verified before the first sign-in, \(exception)"
    case .off: "not verified"
    }
  }

  private var invitations: String {
    switch policy.contact.invitations {
    case .email: "by mail, which verifies the address; a printed one does not"
    case .administrator: "printed, which verifies no address"
    }
  }

  private var recovery: String {
    switch policy.contact.recovery {
    case .administrator: "by an administrator"
    case .email(let waiting): "by an administrator, or by mail after \(Self.time(waiting))"
    }
  }

  private var attestationRows: [[String]] {
    let models = attestation.models
    let allowed = models.allowed.map { "\($0.count) allowed" } ?? "all allowed"
    let statuses = models.statuses.map(\.rawValue).sorted()
    return [
      ["algorithms", Self.list(relyingParty.policy.algorithms.map(\.description))],
      [
        "attestation",
        "\(attestation.conveyance.rawValue); at sign-in, \(policy.storedAttestation.rawValue) what is stored",
      ],
      ["metadata", attestation.metadata?.description ?? "none"],
      [
        "models", "\(allowed), \(models.denied.count) denied, status \(statuses.isEmpty ? "any" : Self.list(statuses))",
      ],
      ["status list", attestation.statusListPath?.escapedForTerminal ?? "none"],
      [
        "sign-in pages",
        "autofill \(Self.time(policy.conditionalLifetime)), UI \(policy.uiMode?.rawValue ?? "default"), "
          + "passkey offer \(policy.creationOffer.rawValue)",
      ],
    ]
  }

  private var applicationRows: [[String]] {
    let apple = documents.appleAppSiteAssociation?.applications.map(\.identifier) ?? []
    let android = documents.digitalAssetLinks?.applications.map(\.packageName) ?? []
    let pages = [documents.passkeyEndpoints?.enroll, documents.passkeyEndpoints?.manage].compactMap(\.self)
    return [
      ["applications", Self.list(apple + android)],
      ["related origins", Self.list(documents.relatedOrigins?.origins.map(\.text) ?? [])],
      ["pages", Self.list(pages)],
      ["served pages", self.pages?.description ?? "off"],
    ]
  }

  private static func list(_ texts: [String]) -> String {
    texts.isEmpty ? "none" : texts.map(\.escapedForTerminal).joined(separator: ", ")
  }

  /// Returns a duration in the syntax of settings.
  static func time(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    guard seconds > 0 else { return "\(seconds)s" }
    if seconds.isMultiple(of: 86_400) { return "\(seconds / 86_400)d" }
    if seconds.isMultiple(of: 3600) { return "\(seconds / 3600)h" }
    if seconds.isMultiple(of: 60) { return "\(seconds / 60)m" }
    return "\(seconds)s"
  }
}
