// SPDX-License-Identifier: Apache-2.0

// The settings by which other programs of a site learn who is signed in.

extension Setting {
  static let returnTargets = Self(
    name: "return-to", valueName: "PLACE", isList: true,
    help: "where a sign-in may lead back to: a path, or an origin with or without a path (none)")
  static let proxySecrets = Self(
    name: "proxy-secret", valueName: "SHA256", isList: true,
    help: "answer proxies that ask whose a request is and know the secret with this digest, at /api/auth/forward (none)"
  )
  static let backEnds = Self(
    name: "back-end", valueName: "NAME=SHA256", isList: true,
    help:
      "answer this back end about tokens, if it knows the secret with this digest, at /api/auth/introspect (none)")
  static let audiences = Self(
    name: "audience", valueName: "NAME", isList: true,
    help: "sign tokens of users for this service, at /api/auth/token (none)")
  static let tokenLifetime = Self(
    name: "token-lifetime", valueName: "TIME", standard: "5m", help: "lifetime of a signed token, at most 1h")
  static let tokenKeys = Self(
    name: "token-key", valueName: "NAME", standard: "1", isList: true,
    help: "names of the keys of signed tokens, derived from the secret: the first one signs, all are published")
  static let cookieName = Self(
    name: "cookie-name", valueName: "NAME", help: "name of the session cookie (as in the profile)")
  static let cookieDomain = Self(
    name: "cookie-domain", valueName: "DOMAIN",
    help: "send the session cookie to all hosts of this domain, without the prefix __Host- (the host of the pages)")

  static let siteSettings = [
    returnTargets, proxySecrets, backEnds, audiences, tokenLifetime, tokenKeys, cookieName, cookieDomain,
  ]
}
