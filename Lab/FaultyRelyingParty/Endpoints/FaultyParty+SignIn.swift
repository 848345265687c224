// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import WebAuthnTypes

extension FaultyParty {
  /// Begins a sign-in. The options are the same for every address, because passkeys are discoverable.
  func beginSignIn(_ request: EndpointRequest) async throws -> EndpointResponse {
    guard let email = try JSONBody(request).stringIfPresent("email", atMost: 254) else {
      return assertionOptions(try begin(.signIn, for: nil, of: request), allowing: [], request)
    }
    try checkAddress(email)
    let account = accounts.values.first { $0.email == email }
    if account == nil, faults.has("enumeration.options-status") { throw Refusal(.notFound, "account.unknown") }
    if account != nil, faults.has("enumeration.timing") { try await Task.sleep(for: .milliseconds(15)) }
    var ceremony = try begin(.signIn, for: nil, of: request)
    ceremony.isNameUnknown = account == nil
    ceremony.named = account
    ceremonies[ceremony.challenge] = ceremony
    var allowed: [[UInt8]] = []
    if faults.has("enumeration.options-credentials") || faults.has("enumeration.decoys-stable") {
      allowed = account.map { passkeys(of: $0).map(\.id) } ?? []
    }
    if account == nil, faults.has("enumeration.decoys-stable") { allowed = [try RandomSource.system.bytes(32)] }
    let hasHint = account != nil && faults.has("enumeration.options-shape")
    let handle = try account?.handle ?? RandomSource.system.bytes(32)
    if let length = decoyLength {
      let key = faults.has("enumeration.decoys-predictable") ? [] : decoyKey
      let decoy = Array(Digest.sha256(key + Array(email.utf8)).prefix(length))
      allowed = account.map { passkeys(of: $0).map(\.id) } ?? [decoy]
    }
    let hasTransports = account != nil && faults.has("enumeration.options-credentials/transports")
    var response = assertionOptions(ceremony, allowing: allowed, withTransports: hasTransports, request) { (options) in
      if hasHint { options.write("hint", "passkey") }
      if faults.has("enumeration.options-disclose") { options.write("user", .base64URL(handle)) }
    }
    if faults.has("session.fixation-anonymous"), usesCookies(request), cookie("", of: request) == nil {
      let token = try makeToken()
      anonymousTokens.insert(token)
      setCookie("", token, request, in: &response)
    }
    if account != nil, faults.has("enumeration.options-size") { response.body += [UInt8](repeating: 0x20, count: 8) }
    return response
  }

  /// The length of the IDs that unknown addresses have; nil without such a fault.
  private var decoyLength: Int? {
    if faults.has("enumeration.options-credentials/length") { return 20 }
    let isLong =
      faults.has("enumeration.options-credentials/transports") || faults.has("enumeration.decoys-predictable")
    return isLong ? 32 : nil
  }

  /// Refuses an address that is empty or has control characters.
  func checkAddress(_ email: String) throws {
    let isPlain = email.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isPlain || faults.has("http.json-nul"), email.contains("@") else {
      throw Refusal(.unprocessableContent, "account.email")
    }
  }

  /// Answers in the same way whether an account with the address exists.
  func requestRecovery(_ request: EndpointRequest) throws -> EndpointResponse {
    let email = try JSONBody(request).string("email", atMost: 254)
    try checkAddress(email)
    let account = accounts.values.first { $0.email == email }
    guard account != nil || !faults.has("enumeration.recovery") else { throw Refusal(.notFound, "account.unknown") }
    if let account {
      let code = try makeToken()
      recoveries[code] = account.handle
      mailedCodes[email] = code
      settings.mails?(email, code)
    }
    return .noContent
  }

  func finishSignIn(_ request: EndpointRequest) async throws -> EndpointResponse {
    try checkFailures(of: request)
    if faults.has("state.parallel") { try await restoreCeremony(of: request) }
    let named = try? AuthenticationResponse(json: CeremonyBody(request).credential)
    let owner = named.flatMap { passkeys[Array($0.id.bytes)]?.owner }
    let isLocked = owner.flatMap { accounts[$0] }.map { $0.failedSignIns >= 10 } ?? false
    var passkey: Passkey
    do {
      if isLocked, faults.has("limits.owner-lock-out") { throw Refusal(.forbidden, "account.locked") }
      let (own, ceremony) = try assert(request, for: .signIn, in: nil)
      passkey = own
      let isSignedIn = faults.has("authentication.other-account-in-session") && (try? signedIn(request)) != nil
      if faults.has("authentication.other-account") || isSignedIn, let named = ceremony.named {
        passkey = passkeys(of: named).first ?? own
      }
    } catch {
      countFailure(of: request)
      if let owner { accounts[owner]?.failedSignIns += 1 }
      throw error
    }
    return try openSession(passkey, request) { (_) in }
  }

  func beginReverification(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, account) = try signedIn(request)
    let ceremony = try begin(.reverification, for: account, in: session, of: request)
    return assertionOptions(ceremony, allowing: passkeys(of: account).map(\.id), request)
  }

  func finishReverification(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, _) = try signedIn(request)
    _ = try assert(request, for: .reverification, in: session)
    return try showAccount(request)
  }

  /// Verifies the assertion in a request, and returns the passkey that signed it and the ceremony.
  func assert(
    _ request: EndpointRequest, for purpose: Purpose, in session: Session?
  ) throws -> (passkey: Passkey, ceremony: Ceremony) {
    do {
      return try verifiedAssertion(request, for: purpose, in: session)
    } catch {
      guard try isIgnored(error, in: request, "authentication") else { throw error }
      // The fault: the passkey counts as if it had signed.
      let id = (try? CeremonyBody(request).credential["id"]?.base64URL).flatMap(\.self) ?? []
      guard let passkey = passkeys[id] ?? passkeys.values.first, let ceremony = newestCeremonies[purpose] else {
        throw error
      }
      return (passkey, ceremony)
    }
  }

  private func verifiedAssertion(
    _ request: EndpointRequest, for purpose: Purpose, in session: Session?
  ) throws -> (passkey: Passkey, ceremony: Ceremony) {
    let response = try AuthenticationResponse(json: CeremonyBody(request).credential)
    let clientData = try ClientData(parsing: response.clientDataJSON)
    let ceremony = try take(clientData, for: purpose, in: session, of: request)
    guard var passkey = passkeys[Array(response.id.bytes)] else {
      if ceremony.isNameUnknown, faults.has("enumeration.verify-errors") { throw Refusal(.notFound, "account.unknown") }
      var refusal = Refusal(.unauthorized, "authentication.failed")
      refusal.hasHint = ceremony.isNameUnknown && faults.has("enumeration.verify-errors/body")
      throw refusal
    }
    do {
      let origin = expectedOrigin(of: request, "authentication")
      try AuthenticationCheck(faults: faults, origin: origin).verify(
        response, clientData, of: ceremony, by: &passkey)
    } catch {
      if purpose == .signIn, faults.has("state.failed-attempt") { ceremonies[ceremony.challenge] = ceremony }
      throw error
    }
    passkey.lastUsed = request.receivedAt
    passkeys[passkey.id] = passkey
    return (passkey, ceremony)
  }

  /// Returns the passkeys of an account, oldest first.
  func passkeys(of account: Account) -> [Passkey] {
    passkeys.values.filter { $0.owner == account.handle && !$0.isHidden }.sorted {
      ($0.created, $0.name) < ($1.created, $1.name)
    }
  }

  /// Refuses a client that failed too often, until its pause ends.
  private func checkFailures(of request: EndpointRequest) throws {
    guard !faults.has("limits.sign-in-attempts"), let end = failures[client(of: request)]?.pauseEnd,
      request.receivedAt < end
    else { return }
    var refusal = Refusal(.tooManyRequests, "http.too-many-requests")
    guard !faults.has("limits.retry-after") else { throw refusal }
    refusal.headers.set("retry-after", String(end.secondsSince1970 - request.receivedAt.secondsSince1970))
    throw refusal
  }

  private func countFailure(of request: EndpointRequest) {
    let client = client(of: request)
    let count = (failures[client]?.count ?? 0) + 1
    failures[client] =
      count < settings.failuresBeforePause
      ? Failures(count: count) : Failures(count: 0, pauseEnd: request.receivedAt + .seconds(settings.pauseSeconds))
  }

  /// Returns the address that failures are counted for.
  private func client(of request: EndpointRequest) -> String {
    let forwarded = faults.has("limits.forwarded-for") ? request.headers["x-forwarded-for"] : nil
    return forwarded ?? request.peer.description
  }
}
