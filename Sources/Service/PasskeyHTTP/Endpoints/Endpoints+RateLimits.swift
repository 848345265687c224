// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService

// Budgets of a ceremony request:
//
//   request                           budgets
//   from an unknown client            its address, and its site
//   from a known client               the account at its address, and all known clients of its address, and of its site,
//                                     together
//   begin, by an unknown client       the account at the client's address
//   begin, by a known client          the client
//   begin, in a session               the account's sessions
//   begin of a sign-in, by profile    the client if it is known, otherwise its address
//   begin of a sign-in by autofill    a budget of its own for its address, because each view of a page begins one
//   anything that sends a mail        also the mails of its address; and those of its kind from its site, to the domain of
//                                     the recipient, and to all recipients
//
// A change in a session has the budgets of its account, its address and its site.
//
// So a flood spends the budgets of the addresses that it comes from. It slows unknown clients at those addresses and sites,
// and never a client that has signed in to the account before. A flood of sign-ups from many sites slows sign-ups, but no
// recovery and no mail of an account.

extension Endpoints {
  /// Counts a ceremony request against the address budgets.
  func limitCeremony(_ endpoint: Endpoint, _ call: Call) throws(RateLimiter.Exceeded) {
    if isAutofill(endpoint, call) {
      return try autofillLimiter.require(.address(call.request.client), at: call.instant)
    }
    guard let mark = call.marks.first else {
      try addressLimiter.require(.address(call.request.client), at: call.instant)
      return try siteLimiter.require(.site(call.request.client), at: call.instant)
    }
    try addressLimiter.require(.account(mark.account, at: call.request.client), at: call.instant)
    try knownAddressLimiter.require(.address(call.request.client), at: call.instant)
    try knownSiteLimiter.require(.site(call.request.client), at: call.instant)
  }

  /// Whether a request begins a sign-in without a name that the autofill of a field offers.
  private func isAutofill(_ endpoint: Endpoint, _ call: Call) -> Bool {
    guard endpoint.name == .signInOptions, let inputs = try? call.inputs() else { return false }
    let names: [ShapeVariable] = [.accountName, .accountEmail, .accountUsername]
    return inputs.text(.mediation) == SignInMediation.conditional.rawValue
      && names.allSatisfy { inputs.text($0) == nil }
  }

  /// Counts a change in a session. Anyone can open accounts, so those at one address, and at one site, share a budget.
  func limitChange(by session: AuthenticatedSession, _ call: Call) throws(RateLimiter.Exceeded) {
    try changeLimiter.require(.account(of: session), at: call.instant)
    try addressChangeLimiter.require(.address(call.request.client), at: call.instant)
    try siteChangeLimiter.require(.site(call.request.client), at: call.instant)
  }

  /// Counts a request that sends a mail. The budgets that other clients share come last, so that a flood of one client does not
  /// spend them.
  func limitMails(_ kind: MailKind, to address: EmailAddress?, _ call: Call) throws(RateLimiter.Exceeded) {
    try mailLimiter.require(.address(call.request.client), at: call.instant)
    try siteMailLimiter.require(.site(call.request.client, kind), at: call.instant)
    if let address { try domainMailLimiter.require(.mails(kind, to: address), at: call.instant) }
    try totalMailLimiter.require(.mails(kind), at: call.instant)
  }

  /// Counts the start of a ceremony for a name, whether the account exists or not.
  func limit(_ name: AccountName, _ call: Call) throws(RateLimiter.Exceeded) {
    if let mark = knownClients.mark(for: name, among: call.marks) {
      try accountLimiter.require(.client(mark.client, of: mark.account), at: call.instant)
    } else {
      try accountLimiter.require(.account(name.key, from: call.request.client), at: call.instant)
    }
  }

  /// Counts the start of a sign-in against the profile's budget: of the address, or of the known client.
  func limitSignIn(_ name: AccountName?, _ call: Call) throws(RateLimiter.Exceeded) {
    let mark = if let name { knownClients.mark(for: name, among: call.marks) } else { call.marks.first }
    let key = mark.map { RateLimiter.Key.client($0.client, of: $0.account) } ?? .address(call.request.client)
    try signInLimiter?.require(key, at: call.instant)
  }

  /// Counts the start of a ceremony in a session, separately from those of unknown clients.
  func limit(_ session: AuthenticatedSession, _ call: Call) throws(RateLimiter.Exceeded) {
    try accountLimiter.require(.account(of: session), at: call.instant)
  }

  /// Returns the known-client marks of a request, from a header field or a cookie.
  func marks(of request: EndpointRequest, at now: UnixTime) -> [KnownClients.Mark] {
    let text = request.headers[profile.headers.client] ?? cookie(Self.clientSuffix, in: request)
    return text.map { knownClients.read($0, at: now) } ?? []
  }

  /// Returns the known-client marks for a client that has just signed in.
  func marks(of opened: OpenedSession, _ call: Call) -> String? {
    try? knownClients.mark(opened.account.names, after: call.marks, at: call.context.time)
  }
}

extension RateLimiter.Key {
  /// Returns the key of a signed-in account. An email address never has the form of a handle.
  static func account(of session: AuthenticatedSession) -> Self {
    .account("\(session.account.handle)")
  }
}
