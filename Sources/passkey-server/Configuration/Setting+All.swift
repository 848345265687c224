// SPDX-License-Identifier: Apache-2.0

// All settings. The defaults in parentheses are those of a development server: it listens on this machine only, keeps
// its data in the current folder and allows sign-up to everyone.

extension Setting {
  static let configuration = Self(name: "config", valueName: "FILE", help: "a JSON file with settings by their names")

  // MARK: Who the relying party is

  static let relyingPartyID = Self(
    name: "rp-id", valueName: "DOMAIN", standard: "raxx.app", otherVariable: "RP_ID",
    help: "the domain under which passkeys are made; it never changes once there are any")
  static let relyingPartyName = Self(
    name: "rp-name", valueName: "NAME", standard: "Raxx", otherVariable: "RP_NAME", help: "what people call the service"
  )
  static let origins = Self(
    name: "origin", valueName: "ORIGIN", isList: true, otherVariable: "ORIGIN",
    help: "where ceremonies may take place (https://, and the domain; without TLS, where localhost is served)")
  static let topOrigins = Self(
    name: "top-origin", valueName: "ORIGIN", isList: true, help: "whose pages may have ours inside them (nobody's)")

  static let profile = Self(
    name: "profile", valueName: "NAME", standard: "raxx", choices: ["raxx", "yapt", "aiday"],
    help: "which system's paths, bodies and tokens")

  static let tokens = Self(
    name: "tokens", valueName: "HOW", choices: ["bearer", "cookie"],
    help: "how sessions travel: in a header, or in a cookie that no script reads (as the profile has it)")

  static let cookiePrefix = Self(
    name: "cookie-prefix", valueName: "PREFIX", choices: ["host", "none"],
    help: "whether the session cookie's name begins with __Host- under TLS (host, or as the profile has it)")

  // MARK: Where it listens

  static let listen = Self(
    name: "listen", valueName: "ADDRESS:PORT", standard: "127.0.0.1:8080", help: "where to listen; port 0 is any")
  static let certificate = Self(
    name: "tls-certificate", valueName: "FILE", help: "the certificate and its chain, PEM; without one, plain HTTP")
  static let privateKey = Self(name: "tls-key", valueName: "FILE", help: "the certificate's private key, PEM")
  static let trustedProxies = Self(
    name: "trusted-proxy", valueName: "ADDRESS/BITS", isList: true,
    help: "a proxy whose word is taken for who the client is (nobody's)")
  static let proxyHeader = Self(
    name: "proxy-header", valueName: "HEADER", standard: "x-forwarded-for", choices: ["x-forwarded-for", "forwarded"],
    help: "where trusted proxies write who the client is")
  static let accessLog = Self(
    name: "access-log", valueName: "FILE", standard: "-",
    help: "where a line for each request goes; - is standard output")
  static let accessLogIdentity = Self(
    name: "access-log-identity", valueName: "WHAT", standard: "request-id", choices: ["request-id", "address", "both"],
    help: "what a line of the access log names; both lets it be joined with the audit trail after an erasure")
  static let auditLog = Self(
    name: "audit-log", valueName: "TARGET",
    help: "write each audit record as a line of JSON to this file, or to syslog (no audit log)")
  static let auditLogFailure = Self(
    name: "audit-log-failure", valueName: "POLICY", standard: "continue", choices: ["continue", "refuse"],
    help: "while the audit log cannot be written, answer requests or refuse them")
  static let metrics = Self(
    name: "metrics", valueName: "WHOM", standard: "local", choices: ["local", "public", "off"],
    help: "who is given /metrics: who asks on this machine and through no proxy, everybody, or nobody")

  // MARK: Where its data are

  static let database = Self(
    name: "database", valueName: "DATABASE", standard: "passkey.sqlite",
    help: "a file for SQLite, which one server has for itself, or postgres://USER@HOST/NAME for several")
  static let secret = Self(
    name: "secret", valueName: "FILE", standard: "passkey.secret",
    help: "32 random bytes of which decoys are made; as secret and as old as the accounts")

  // MARK: Who may do what

  static let signUp = Self(
    name: "sign-up", valueName: "POLICY", choices: ["open", "invitation", "approval"],
    help: "who may make an account (open, or as the profile has it)")
  static let sessionLifetime = Self(
    name: "session-lifetime", valueName: "TIME", help: "how long a session's token is good (15m)")
  static let idleLimit = Self(
    name: "idle-limit", valueName: "TIME",
    help: "after how long without use a session ends (it does not, or as the profile has it)")
  static let refresh = Self(
    name: "refresh", valueName: "TIME",
    help: "how long a refresh token is good (there are none, or as the profile has it)")
  static let sessionLimit = Self(
    name: "sessions-per-account", valueName: "NUMBER", standard: "50",
    help: "how many sessions an account may have; another one ends the oldest")
  static let recoveredPasskeys = Self(
    name: "recovered-passkeys", valueName: "POLICY", standard: "keep", choices: ["keep", "disable"],
    help: "what a recovery does to the account's other passkeys; it ends its sessions in either case")
  static let grantLifetime = Self(
    name: "step-up-lifetime", valueName: "TIME", standard: "60s", help: "how long a confirmation is good for its act")
  static let cloneSignal = Self(
    name: "clone-signal", valueName: "POLICY", standard: "report", choices: ["report", "refuse", "disable"],
    help: "what happens when a signature counter does not go up")
  static let backupSignal = Self(
    name: "backup-signal", valueName: "POLICY", standard: "report", choices: ["report", "refuse", "disable"],
    help: "what happens when a passkey says otherwise than before that it may be backed up")
  static let addressRetention = Self(
    name: "keep-addresses", valueName: "TIME", standard: "90d",
    help: "for how long it is kept beside the audit trail from which addresses requests came")

  // MARK: What it tells of applications

  static let appleApplications = Self(
    name: "apple-app", valueName: "TEAM.BUNDLE", isList: true, help: "an application for Apple's systems that is ours")
  static let androidApplications = Self(
    name: "android-app", valueName: "PACKAGE=FINGERPRINT", isList: true,
    help: "an Android application that is ours, and the SHA-256 of its certificate")
  static let relatedOrigins = Self(
    name: "related-origin", valueName: "ORIGIN", isList: true,
    help: "another origin that may use our passkeys, for /.well-known/webauthn")
  static let registeredDomains = Self(
    name: "registered-domain", valueName: "DOMAIN", isList: true,
    help: "a domain that we registered, below which related origins are")

  static let enrollPage = Self(
    name: "enroll-page", valueName: "URL",
    help: "the page on which people make passkeys, for /.well-known/passkey-endpoints")
  static let managePage = Self(
    name: "manage-page", valueName: "URL", help: "the page on which people look after their passkeys")

  // MARK: How much of it there may be

  static let ceremoniesPerMinute = Self(
    name: "ceremonies-per-minute", valueName: "NUMBER", standard: "60",
    help: "how many ceremonies an address may begin or end in a minute")
  static let ceremoniesPerAccount = Self(
    name: "ceremonies-per-account", valueName: "NUMBER", standard: "20",
    help: "how many ceremonies a client address may begin for one account in a minute; known clients have as many each")
  static let knownClientLifetime = Self(
    name: "remember-clients", valueName: "TIME", standard: "90d",
    help: "how long a client that signed in keeps rate limits of its own, which no stranger can spend")

  static let offeredPasskeys = Self(
    name: "offered-passkeys", valueName: "NUMBER", standard: "20",
    help: "how many passkeys a ceremony's options name, of an account's newest")
  static let connections = Self(
    name: "connections", valueName: "NUMBER", standard: "1024",
    help: "how many connections may be open at once; a further one replaces one of the address that holds the most")
  static let connectionsPerAddress = Self(
    name: "connections-per-address", valueName: "NUMBER", standard: "64",
    help: "how many of them one client address may have open; trusted proxies have no limit")

  static let all: [Setting] = [
    relyingPartyID, relyingPartyName, origins, topOrigins, profile, tokens, cookiePrefix, listen, certificate,
    privateKey,
    trustedProxies,
    proxyHeader, accessLog, accessLogIdentity, auditLog,
    auditLogFailure, metrics, database, secret, signUp, sessionLifetime, idleLimit, refresh, sessionLimit,
    recoveredPasskeys, grantLifetime,
    cloneSignal, backupSignal, addressRetention, appleApplications, androidApplications, relatedOrigins,
    registeredDomains, enrollPage, managePage, ceremoniesPerMinute, ceremoniesPerAccount, knownClientLifetime,
    offeredPasskeys,
    connections, connectionsPerAddress,
  ]
}
