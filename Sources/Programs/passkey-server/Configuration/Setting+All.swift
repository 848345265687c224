// SPDX-License-Identifier: Apache-2.0

// All settings. The defaults in parentheses are those of a development server: it listens on this machine only, keeps
// its data in the current folder and allows sign-up to everyone.

extension Setting {
  static let configuration = Self(name: "config", valueName: "FILE", help: "read settings from this JSON file")

  // MARK: Relying party

  static let relyingPartyID = Self(
    name: "rp-id", valueName: "DOMAIN", standard: "raxx.app", otherVariable: "RP_ID",
    help: "the domain of the passkeys; it cannot change once passkeys exist")
  static let relyingPartyName = Self(
    name: "rp-name", valueName: "NAME", otherVariable: "RP_NAME",
    help: "the name of the service that users see (Raxx for raxx.app, otherwise the domain)"
  )
  static let origins = Self(
    name: "origin", valueName: "ORIGIN", isList: true, otherVariable: "ORIGIN",
    help:
      "origins that may use the passkeys (https:// and the domain; without TLS, the server's own address if the domain is localhost)"
  )
  static let topOrigins = Self(
    name: "top-origin", valueName: "ORIGIN", isList: true,
    help: "origins allowed to embed our pages in an iframe (none)")

  static let profile = Self(
    name: "profile", valueName: "NAME|FILE", standard: "raxx",
    help: "serve the API of this profile: site, raxx, yapt, aiday, or a JSON file")

  static let tokens = Self(
    name: "tokens", valueName: "KIND", choices: ["bearer", "cookie", "both"],
    help: "send sessions in a header, in a cookie that scripts cannot read, or as each request asks (as in the profile)"
  )

  static let cookiePrefix = Self(
    name: "cookie-prefix", valueName: "PREFIX", choices: ["host", "none"],
    help: "prefix the session cookie's name with __Host- under TLS (host, or as in the profile)")

  // MARK: Listener, logs and metrics

  static let listen = Self(
    name: "listen", valueName: "ADDRESS:PORT", standard: "127.0.0.1:8080",
    help: "the address to listen at; port 0 picks a free port")
  static let certificate = Self(
    name: "tls-certificate", valueName: "FILE", help: "the TLS certificate and its chain, PEM (plain HTTP)")
  static let privateKey = Self(name: "tls-key", valueName: "FILE", help: "the private key of the TLS certificate, PEM")
  static let transportSecurity = Self(
    name: "hsts", valueName: "HOSTS", standard: "host", choices: ["off", "host", "subdomains"],
    help: "with TLS, tell browsers to use https only for two years: on this host, or also on all hosts below it")
  static let trustedProxies = Self(
    name: "trusted-proxy", valueName: "ADDRESS/BITS", isList: true,
    help: "trust the client address that this proxy reports (none)")
  static let proxyHeader = Self(
    name: "proxy-header", valueName: "HEADER", standard: "x-forwarded-for", choices: ["x-forwarded-for", "forwarded"],
    help: "the header in which trusted proxies report the client address")
  static let accessLog = Self(
    name: "access-log", valueName: "FILE", standard: "-",
    help: "write a line for each request to this file; - is standard output")
  static let accessLogIdentity = Self(
    name: "access-log-identity", valueName: "WHAT", standard: "request-id", choices: ["request-id", "address", "both"],
    help: "identify requests in the access log by this; both allows joins with the audit trail after an erasure")
  static let auditLog = Self(
    name: "audit-log", valueName: "TARGET",
    help: "write each audit record as a line of JSON to this file or to syslog (none)")
  static let auditLogFailure = Self(
    name: "audit-log-failure", valueName: "POLICY", standard: "continue", choices: ["continue", "refuse"],
    help: "what to do while the audit log cannot be written: answer requests or refuse them")
  static let metrics = Self(
    name: "metrics", valueName: "CLIENTS", standard: "local", choices: ["local", "public", "off"],
    help: "who may read /metrics: local clients without a proxy, everyone, or no client")

  static let debugPage = Self(
    name: "debug-page", valueName: "on|off", standard: "off", choices: ["on", "off"],
    help: "serve /debug, which explains pasted artifacts, to local clients without a proxy; for development only")

  static let deliver = Self(
    name: "deliver", valueName: "WHERE", standard: "here", choices: ["here", "off"],
    help: "deliver notices in this process, or leave that to passkey-server deliver")

  // MARK: Storage

  static let database = Self(
    name: "database", valueName: "DATABASE", standard: "passkey.sqlite",
    help: "a SQLite file for a single server, or postgres://USER@HOST/NAME for several servers")
  static let secret = Self(
    name: "secret", valueName: "FILE", standard: "passkey.secret",
    help:
      "a file of 32 random bytes; the server's keys are derived from it, so keep it secret and back it up")

  // MARK: Policy

  static let signUp = Self(
    name: "sign-up", valueName: "POLICY", choices: ["open", "invitation", "approval"],
    help: "who may create an account (open, or as in the profile)")
  static let sessionLifetime = Self(
    name: "session-lifetime", valueName: "TIME", help: "lifetime of a session token (15m)")
  static let idleLimit = Self(
    name: "idle-limit", valueName: "TIME",
    help: "end sessions that are unused for this long (never, or as in the profile)")
  static let verifyAfter = Self(
    name: "verify-after", valueName: "TIME",
    help: "ask for a passkey again in sessions that are unused for this long (never, or as in the profile)")
  static let sessionWarning = Self(
    name: "session-warning", valueName: "TIME",
    help: "announce the end of a session this long before, in responses and as an event (2m, or as in the profile)")
  static let refresh = Self(
    name: "refresh", valueName: "TIME",
    help: "lifetime of a refresh token (no refresh tokens, or as in the profile)")
  static let sessionLimit = Self(
    name: "sessions-per-account", valueName: "NUMBER", standard: "50",
    help: "sessions that an account may have; one more ends the oldest")
  static let recoveredPasskeys = Self(
    name: "recovered-passkeys", valueName: "POLICY", standard: "keep", choices: ["keep", "disable"],
    help: "keep or disable the account's other passkeys after a recovery; its sessions end in any case")
  static let grantLifetime = Self(
    name: "step-up-lifetime", valueName: "TIME", standard: "60s", help: "lifetime of a confirmation")
  static let cloneSignal = Self(
    name: "clone-signal", valueName: "POLICY", standard: "report", choices: ["report", "refuse", "disable"],
    help: "what to do if a signature counter does not increase")
  static let backupSignal = Self(
    name: "backup-signal", valueName: "POLICY", standard: "report", choices: ["report", "refuse", "disable"],
    help: "what to do if a passkey's backup eligibility changes")
  static let addressRetention = Self(
    name: "keep-addresses", valueName: "TIME", standard: "90d",
    help: "keep client addresses in the audit trail this long")

  // MARK: Applications, related origins and pages

  static let appleApplications = Self(
    name: "apple-app", valueName: "TEAM.BUNDLE", isList: true, help: "one of our applications on Apple's systems")
  static let androidApplications = Self(
    name: "android-app", valueName: "PACKAGE=FINGERPRINT", isList: true,
    help: "one of our Android applications, and the SHA-256 of its certificate")
  static let relatedOrigins = Self(
    name: "related-origin", valueName: "ORIGIN", isList: true,
    help: "another origin that may use our passkeys, for /.well-known/webauthn")
  static let registeredDomains = Self(
    name: "registered-domain", valueName: "DOMAIN", isList: true,
    help: "a registered domain that contains related origins")

  static let enrollPage = Self(
    name: "enroll-page", valueName: "URL",
    help: "the page on which users create passkeys, for /.well-known/passkey-endpoints")
  static let managePage = Self(
    name: "manage-page", valueName: "URL", help: "the page on which users manage their passkeys")

  static let pages = Self(
    name: "pages", valueName: "WHAT",
    help:
      "serve web pages for sign-in, accounts and administration: on, off, or a folder whose files replace theirs (off; on with the profile site)"
  )

  static let privacyPage = Self(
    name: "privacy-page", valueName: "URL", help: "the privacy notice, to which all pages have a link (no link)")
  static let imprintPage = Self(
    name: "imprint-page", valueName: "URL", help: "the imprint, to which all pages have a link (no link)")
  static let helpPage = Self(
    name: "help-page", valueName: "URL", help: "help for users, to which all pages have a link (no link)")

  // MARK: Limits

  static let ceremoniesPerMinute = Self(
    name: "ceremonies-per-minute", valueName: "NUMBER", standard: "60",
    help: "ceremonies that an address may begin or end in a minute; more than 60 allow as many more changes too")
  static let ceremoniesPerAccount = Self(
    name: "ceremonies-per-account", valueName: "NUMBER", standard: "20",
    help: "ceremonies that a client address may begin for one account in a minute; each known client has its own limit")
  static let knownClientLifetime = Self(
    name: "remember-clients", valueName: "TIME", standard: "90d",
    help: "remember a signed-in client this long; strangers cannot use up its rate limits")

  static let offeredPasskeys = Self(
    name: "offered-passkeys", valueName: "NUMBER", standard: "20",
    help: "passkeys listed in the options of a ceremony, newest first")
  static let connections = Self(
    name: "connections", valueName: "NUMBER", standard: "1024",
    help: "open connections; when full, one of the address with the most is closed")
  static let connectionsPerAddress = Self(
    name: "connections-per-address", valueName: "NUMBER", standard: "64",
    help: "open connections per client address; trusted proxies have no limit")

  static let all: [Setting] =
    [
      relyingPartyID, relyingPartyName, origins, topOrigins, profile, tokens, cookiePrefix, listen, certificate,
      privateKey, transportSecurity,
      trustedProxies,
      proxyHeader, accessLog, accessLogIdentity, auditLog,
      auditLogFailure, metrics, debugPage, deliver, database, secret, signUp, sessionLifetime, idleLimit, verifyAfter,
      sessionWarning, refresh, sessionLimit,
      recoveredPasskeys, grantLifetime,
      cloneSignal, backupSignal, addressRetention, appleApplications, androidApplications, relatedOrigins,
      registeredDomains, enrollPage, managePage, pages, privacyPage, imprintPage, helpPage, ceremoniesPerMinute,
      ceremoniesPerAccount, knownClientLifetime,
      offeredPasskeys,
      connections, connectionsPerAddress,
    ] + siteSettings + deliverySettings + contactSettings + attestationSettings + auditLogSettings
}
