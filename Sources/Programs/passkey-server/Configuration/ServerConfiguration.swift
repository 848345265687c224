// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyHTTPServer
internal import PasskeyPages
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The validated configuration of a server.
struct ServerConfiguration: Sendable {
  let relyingParty: RelyingParty
  let listen: ListeningAddress
  let tls: TLSFiles?
  let transportSecurity: StrictTransportSecurity
  let trustedProxies: TrustedProxies
  let accessLog: String
  let accessLogIdentity: AccessLog.Identity
  let auditLog: AuditLogTarget?
  let auditLogFailure: AuditLogFailure
  let auditWitnesses: [AuditWitness]
  let servesAuditTiles: Bool
  let metrics: Endpoints.MetricsAudience
  let servesDebugPage: Bool
  let database: DatabaseLocation
  let secretPath: String
  let profile: ServiceProfile
  let policy: ServicePolicy
  let attestation: AttestationSettings
  let documents: WellKnownDocuments
  /// The web pages; nil if the server has none.
  let pages: ServedPages?
  let site: SiteSettings
  /// The origin at which browsers find the pages; nil without pages, or if it is not known.
  let pageOrigin: String?
  let limits: Endpoints.Limits
  let serverLimits: ServerLimits
  let cookieSecurity: Endpoints.CookieSecurity
  let deliveries: Deliveries

  /// Whether `serve` delivers notices, or leaves that to `deliver`.
  let deliveryPlace: DeliveryPlace

  /// Warnings about settings that are valid but risky, one line each.
  let warnings: [String]

  init(_ settings: Settings) throws(CommandFailure) {
    listen = try ListeningAddress(try settings.require(.listen))
    tls = try Self.tls(settings)
    transportSecurity = try settings.require(.transportSecurity).choice()
    trustedProxies = try Self.trustedProxies(settings)
    let accessLog = try settings.require(.accessLog)
    self.accessLog = accessLog.text
    accessLogIdentity = try settings.require(.accessLogIdentity).choice()
    metrics = try settings.require(.metrics).choice()
    servesDebugPage = try DebugPage.isServed(try settings.require(.debugPage), at: listen)
    database = try DatabaseLocation(try settings.require(.database))
    guard database != .file(accessLog.text) else { throw accessLog.refused("the database exists") }
    if let choice = settings.choice(.auditLog) {
      auditLog = try AuditLogTarget(choice)
      guard database != .file(choice.text), accessLog.text != choice.text else {
        throw choice.refused("the database or the access log exists")
      }
    } else {
      auditLog = nil
    }
    auditLogFailure = try settings.require(.auditLogFailure).choice()
    auditWitnesses = try Self.witnesses(settings)
    servesAuditTiles = try settings.require(.auditTiles).choice(of: AuditTilesChoice.self) == .on
    secretPath = try settings.require(.secret).text
    profile = try Self.profile(settings)
    var policy = try Self.policy(settings, of: profile)
    attestation = try AttestationSettings(settings, database: database, secretPath: secretPath)
    let androidApplications = try settings.map(.androidApplications) { (choice) throws(CommandFailure) in
      try choice.androidApplication()
    }
    var documents = try Self.documents(settings, androidApplications)
    pages = try ServedPages(try settings.pages(for: profile), try settings.pageLinks(), profile)
    // Related origins and Android applications may use our passkeys, so their origins are accepted as well.
    relyingParty = try Self.relyingParty(
      settings, profile, at: listen, isEncrypted: tls != nil, attestation,
      others: (documents.relatedOrigins?.origins ?? []) + androidApplications.flatMap(\.origins))
    site = try SiteSettings(settings, relyingParty)
    if pages != nil { ServedPages.addPasskeyEndpoints(of: relyingParty, to: &documents) }
    self.documents = documents
    // A proxy on this machine also connects to a loopback address: name it with --trusted-proxy.
    let isForDevelopment = listen.isLoopback && tls == nil && trustedProxies.blocks.isEmpty
    cookieSecurity = isForDevelopment ? .development : .always
    pageOrigin = pages == nil ? nil : ServedPages.origin(of: relyingParty, cookieSecurity)
    deliveries = Deliveries(
      mail: try MailDelivery(settings, relyingParty, pageOrigin),
      file: try settings.choice(.deliveries).map { (choice) throws(CommandFailure) in
        try DeliveryFile(path: choice.text, InputFile.bytes(choice.text))
      })
    deliveryPlace = try settings.require(.deliver).choice()
    policy.destinations = deliveries.destinations
    try Self.validate(profile, for: policy, of: relyingParty.id)
    self.policy = policy
    limits = try Self.limits(settings, profile)
    serverLimits = try Self.serverLimits(settings)
    warnings =
      attestation.warnings + (servesDebugPage ? DebugPage.warnings(for: relyingParty.id, behind: trustedProxies) : [])
      + (pages?.warnings(at: listen, cookieSecurity, for: relyingParty.id) ?? [])
      + (pages == nil ? [] : ServedPages.warnings(about: profile))
      + site.warnings(profile, relyingParty)
      + Self.warnings(
        settings, database, listen, tls, trustedProxies, policy.sessions, profile, cookieSecurity,
        lacksOrigin: relyingParty.id.isLocal && tls == nil && listen.port == 0 && settings.list(.origins).isEmpty)
  }
}

// MARK: Its parts

extension ServerConfiguration {
  private static func tls(_ settings: Settings) throws(CommandFailure) -> TLSFiles? {
    switch (settings.choice(.certificate), settings.choice(.privateKey)) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return TLSFiles(certificatePath: certificate.text, keyPath: key.text)
    case (let certificate?, nil):
      throw .usage("\(certificate.place) needs a private key", hint: "name its file with \(Setting.privateKey.option)")
    case (nil, let key?):
      throw .usage("\(key.place) needs a certificate", hint: "name its file with \(Setting.certificate.option)")
    }
  }

  private static func witnesses(_ settings: Settings) throws(CommandFailure) -> [AuditWitness] {
    var witnesses: [AuditWitness] = []
    for choice in settings.list(.auditWitnesses) {
      let witness = try AuditWitness(choice)
      guard !witnesses.contains(where: { $0.key == witness.key }) else { throw choice.refused("use each key once") }
      witnesses.append(witness)
    }
    return witnesses
  }

  private static func trustedProxies(_ settings: Settings) throws(CommandFailure) -> TrustedProxies {
    let blocks = try settings.map(.trustedProxies) { (choice) throws(CommandFailure) in
      guard let block = IPAddress.Block(choice.text) else {
        throw choice.refused("use an address, or a block such as 10.0.0.0/8")
      }
      return block
    }
    let header = try settings.require(.proxyHeader)
    switch header.text {
    case "x-forwarded-for": return TrustedProxies(blocks, header: .xForwarded)
    case "forwarded": return TrustedProxies(blocks, header: .forwarded)
    default: throw header.refused("use x-forwarded-for or forwarded")
    }
  }

  /// Returns the profile that `--profile` names: a built-in one, or the one in a file.
  private static func profile(_ settings: Settings) throws(CommandFailure) -> ServiceProfile {
    let choice = try settings.require(.profile)
    var profile: ServiceProfile
    if let known = ServiceProfile.builtIn.first(where: { $0.name == choice.text }) {
      profile = known
    } else {
      // A word without a dot or a slash is a misspelled name.
      guard choice.text.contains(where: { "./".contains($0) }) else {
        throw choice.refused("it can be \(ServiceProfile.builtIn.map(\.name).joined(separator: ", ")), or a file")
      }
      profile = try Self.profile(inFile: choice)
    }
    if let tokens = settings.choice(.tokens) {
      switch try tokens.choice(of: TokenChoice.self) {
      case .bearer: profile.sessions.deliveries = [.bearer]
      case .cookie: profile.sessions.deliveries = [.cookie]
      case .both: profile.sessions.deliveries = [.bearer, .cookie]
      }
    }
    guard !profile.sessions.deliveries.isEmpty else {
      throw choice.refused("sessions.deliveries is empty, so no client could sign in")
    }
    try profile.applyCookieSettings(settings)
    return profile
  }

  /// Returns the profile's policy with the chosen settings applied.
  private static func policy(
    _ settings: Settings, of profile: ServiceProfile
  ) throws(CommandFailure) -> ServicePolicy {
    var policy = profile.servicePolicy
    if let choice = settings.choice(.signUp) { policy.signUp = try choice.choice() }
    if let choice = settings.choice(.sessionLifetime) { policy.sessions.lifetime = try choice.duration() }
    if let choice = settings.choice(.sessionWarning) { policy.sessions.warning = try choice.duration() }
    let interval = policy.sessions.touchInterval
    policy.sessions.idleLimit = try settings.choice(.idleLimit)?.duration(above: interval) ?? policy.sessions.idleLimit
    policy.sessions.verificationLimit =
      try settings.choice(.verifyAfter)?.duration(above: interval) ?? policy.sessions.verificationLimit
    if let lifetime = try settings.choice(.refresh)?.duration() {
      var renewal = policy.sessions.renewal ?? ServicePolicy.Sessions.Renewal()
      renewal.tokenLifetime = lifetime
      policy.sessions.renewal = renewal
    }
    // 64 [the maximum length of a decoy list]
    policy.offeredPasskeyCount = try settings.require(.offeredPasskeys).number(1...64)
    policy.sessions.maximumCount = try settings.require(.sessionLimit).number(1...100_000)
    policy.recoveryDisablesPasskeys =
      try settings.require(.recoveredPasskeys).choice(of: RecoveredPasskeysChoice.self) == .disable
    policy.grantLifetime = try settings.require(.grantLifetime).duration(atMost: .seconds(300))
    policy.cloneSignal = try settings.require(.cloneSignal).choice()
    policy.backupSignal = try settings.require(.backupSignal).choice()
    policy.storedAttestation = try settings.require(.storedAttestation).choice()
    policy.creationOffer = try settings.require(.passkeyOffer).choice()
    policy.conditionalLifetime = try settings.require(.autofillLifetime).duration(atMost: .seconds(86_400))
    policy.uiMode = SignInUIMode(rawValue: try settings.require(.uiMode).choice(of: UIModeChoice.self).rawValue)
    policy.contact = try settings.contactPolicy(of: profile)
    policy.personalDetailRetention = try settings.require(.addressRetention).duration()
    return policy
  }

  private static func limits(
    _ settings: Settings, _ profile: ServiceProfile
  ) throws(CommandFailure) -> Endpoints.Limits {
    let perMinute = try settings.require(.ceremoniesPerMinute).number(1...1_000_000)
    let perAccount = try settings.require(.ceremoniesPerAccount).number(1...1_000_000)
    var limits = Endpoints.Limits(profile)
    limits.perAddress = RateLimit(burst: perMinute, then: .seconds(60) / perMinute)
    limits.perAccount = RateLimit(burst: perAccount, then: .seconds(60) / perAccount)
    // An address with more sign-ins has more sign-outs and other changes.
    let factor = max(1, perMinute / Endpoints.Limits().perAddress.burst)
    limits.changesPerAddress = limits.changesPerAddress.multiplied(by: factor)
    limits.changesPerSite = limits.changesPerSite.multiplied(by: factor)
    limits.knownClientLifetime = try settings.require(.knownClientLifetime).duration()
    return settings.isForTests ? limits.forTests : limits
  }

  private static func serverLimits(_ settings: Settings) throws(CommandFailure) -> ServerLimits {
    var limits = ServerLimits()
    // 65,536 [48 KiB each are 3 GiB, and more descriptors than systems allow a process by default]
    limits.connections = try settings.require(.connections).number(1...65_536)
    limits.connectionsPerAddress = try settings.require(.connectionsPerAddress).number(1...65_536)
    return limits
  }

  private static func documents(
    _ settings: Settings, _ androidApplications: [DigitalAssetLinks.Application]
  ) throws(CommandFailure) -> WellKnownDocuments {
    var documents = WellKnownDocuments()
    documents.script = PageScript.passkey.reference
    documents.relatedOrigins = try relatedOrigins(settings)
    let apple = try settings.map(.appleApplications) { (choice) throws(CommandFailure) in
      try choice.appleApplication()
    }
    if !apple.isEmpty { documents.appleAppSiteAssociation = AppleAppSiteAssociation(applications: apple) }
    let pages = (enroll: settings.choice(.enrollPage)?.text, manage: settings.choice(.managePage)?.text)
    do throws(CeremonyError) {
      if !androidApplications.isEmpty {
        documents.digitalAssetLinks = try DigitalAssetLinks(applications: androidApplications)
      }
      if pages != (nil, nil) {
        documents.passkeyEndpoints = try PasskeyEndpoints(enroll: pages.enroll, manage: pages.manage)
      }
    } catch {
      throw .usage(
        "cannot create the documents under /.well-known/: \(error.description.escapedForTerminal)",
        hint:
          "give \(Setting.enrollPage.option) and \(Setting.managePage.option) as URLs like https://raxx.app/passkeys")
    }
    return documents
  }

  private static func relatedOrigins(_ settings: Settings) throws(CommandFailure) -> RelatedOrigins? {
    let chosen = settings.list(.relatedOrigins)
    guard let first = chosen.first else {
      guard let domain = settings.choice(.registeredDomains) else { return nil }
      throw .usage(
        "\(domain.place) names a domain without a related origin",
        hint: "name the related origins with \(Setting.relatedOrigins.option)")
    }
    let origins = try settings.map(.relatedOrigins) { (choice) throws(CommandFailure) in try choice.origin() }
    let domains = settings.list(.registeredDomains).map(\.text)
    return try mapError(RelatedOrigins(origins, registeredDomains: domains)) { (error: FormatError) in
      unpublishable(origins, registeredDomains: domains, at: first.place, error.code)
    }
  }

  /// Returns the failure for related origins that cannot be published. It names the first such origin or domain.
  private static func unpublishable(
    _ origins: [WebOrigin], registeredDomains domains: [String], at place: String, _ code: FormatError.Code
  ) -> CommandFailure {
    let origin = origins.first { (try? RelatedOrigins([$0], registeredDomains: domains)) == nil }
    let named = origin.map { "\(place) \($0.text)" } ?? place
    let domainOption = Setting.registeredDomains.option
    switch code {
    case .relatedOriginsOriginUnusable:
      return .usage(
        "\(named) cannot be published: it does not begin with https://, or its host is not a domain",
        hint: "browsers accept only related origins such as https://raxx.example")
    case .relatedOriginsTooManyLabels:
      return .usage(
        "\(place) names more than \(RelatedOrigins.maximumLabelCount) domains",
        hint: "browsers ignore the others; domains that differ only in their suffix, such as .com and .de, count once")
    case .relatedOriginsDomainInvalid:
      let domain = domains.first { (try? RelatedOrigins([], registeredDomains: [$0])) == nil }
      return .usage(
        domain.map { "\(domainOption) cannot be \($0.quotedForTerminal)" }
          ?? "\(domainOption) names a subdomain of another",
        hint: "write each domain as you registered it, such as raxx.example")
    default:
      return .usage(
        "\(named) is in no registered domain", hint: "name its domain with \(domainOption), as you registered it")
    }
  }

  /// Returns warnings. Unencrypted traffic is not an error: a proxy on another machine may be outside our control.
  private static func warnings(
    _ settings: Settings, _ database: DatabaseLocation, _ listen: ListeningAddress, _ tls: TLSFiles?,
    _ proxies: TrustedProxies, _ sessions: ServicePolicy.Sessions, _ profile: ServiceProfile,
    _ cookieSecurity: Endpoints.CookieSecurity,
    lacksOrigin: Bool
  ) -> [String] {
    var warnings = settings.spellingWarnings
    if tls == nil, !listen.isLoopback {
      warnings.append("\(listen) is plain HTTP on a network: passkeys stay safe, session tokens do not")
    }
    if profile.sessions.deliveries.first == .cookie, cookieSecurity == .development {
      warnings.append(
        "development mode: clients that name this machine get cookies without Secure on \(listen); behind a proxy, "
          + "set \(Setting.trustedProxies.option)")
    }
    if proxies.blocks.contains(where: { $0.prefixLength == 0 }) {
      warnings.append("every client is a trusted proxy and can claim any address")
    }
    if database.allowsPlainText {
      warnings.append(
        "the database is on another machine and TLS to it is optional: add sslmode=verify-full to its URL")
    }
    if lacksOrigin {
      warnings.append("the port is not known yet: name the origin of the pages with \(Setting.origins.option)")
    }
    return warnings + Self.warnings(of: sessions)
  }

  /// Returns warnings about durations that have no effect in combination with others.
  private static func warnings(of sessions: ServicePolicy.Sessions) -> [String] {
    var warnings: [String] = []
    let renewed = sessions.renewal.map { min($0.tokenLifetime, $0.sessionLifetime) } ?? .zero
    if let idleLimit = sessions.idleLimit, idleLimit >= max(sessions.lifetime, renewed) {
      warnings.append("\(Setting.idleLimit.option) has no effect: sessions end earlier")
    }
    if let renewal = sessions.renewal, renewal.tokenLifetime <= sessions.lifetime {
      warnings.append("\(Setting.refresh.option) has no effect: it ends before the session it would renew")
    }
    return warnings
  }
}

/// The user interface of sign-in pages.
private enum UIModeChoice: String, CaseIterable {
  case `default`, immediate
}

/// The effect of a recovery on the account's other passkeys.
private enum RecoveredPasskeysChoice: String, CaseIterable {
  case keep, disable
}

/// Where notices are delivered.
enum DeliveryPlace: String, CaseIterable {
  case here
  case off
}

/// The delivery of session tokens, if it overrides the profile's.
private enum TokenChoice: String, CaseIterable {
  case bearer, cookie, both
}

extension Settings {
  /// Returns the value of a setting that has a default. Throws if it is empty.
  func require(_ setting: Setting) throws(CommandFailure) -> Choice {
    guard let choice = choice(setting), !choice.text.isEmpty else {
      throw .usage("\(setting.option) is empty", hint: "write \(setting.option) \(setting.valueName)")
    }
    return choice
  }

  /// Returns the value of a setting without a default; nil if it is not set. Throws if it is empty.
  func given(_ setting: Setting) throws(CommandFailure) -> Choice? {
    choice(setting) == nil ? nil : try require(setting)
  }

  func map<Value>(
    _ setting: Setting, _ read: (Choice) throws(CommandFailure) -> Value
  ) throws(CommandFailure) -> [Value] {
    var values: [Value] = []
    for choice in list(setting) { values.append(try read(choice)) }
    return values
  }
}
