// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import WebAuthnTypes

extension FaultyParty {
  /// Begins to register an account. Addresses are not verified, so several accounts can have the same one.
  func beginRegistration(_ request: EndpointRequest) throws -> EndpointResponse {
    let body = try JSONBody(request)
    let email = try body.string("email", atMost: 254)
    try checkAddress(email)
    let isTaken = accounts.values.contains { $0.email == email }
    if isTaken, faults.has("enumeration.registration-options") { throw Refusal(.conflict, "account.exists") }
    let code = try body.stringIfPresent("code")
    if let code, let account = try self.account(admittedBy: code, email) {
      return creationOptions(try begin(.registration, for: account, of: request, code: code), of: account, request)
    }
    let isOpaque = !faults.has("management.user-handle-opaque")
    let account = Account(
      handle: isOpaque ? try RandomSource.system.bytes(32) : Array(email.utf8), email: email,
      created: request.receivedAt)
    return creationOptions(try begin(.registration, for: account, of: request, code: code), of: account, request)
  }

  /// Returns the account that a code recovers; nil for an invitation, which is any text that begins with `INVITE-`.
  ///
  /// - Throws: A refusal for a code that is unknown or used.
  private func account(admittedBy code: String, _ email: String) throws -> Account? {
    if let account = recoveries[code].flatMap({ accounts[$0] }), account.email == email { return account }
    let isUsed = usedInvitations.contains(code) && !faults.has("state.invitation-replay")
    guard code.hasPrefix("INVITE-"), !isUsed else { throw Refusal(.forbidden, "code.invalid") }
    return nil
  }

  /// Ends the validity of a code.
  private func spend(_ code: String) {
    usedInvitations.insert(code)
    if !faults.has("state.recovery-replay") { recoveries[code] = nil }
  }

  func finishRegistration(_ request: EndpointRequest) throws -> EndpointResponse {
    let passkey = try register(request, for: .registration, in: nil)
    return try openSession(passkey, after: .registration, request) { (body) in
      body.writeObject("credential") { (object: inout JSONObjectWriter) in Self.write(passkey, to: &object) }
    }
  }

  /// Begins to add a passkey to the signed-in account, which needs a step-up.
  func beginAddition(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, account) = try signedIn(request, unless: "management.add-without-session")
    let isOpen = faults.has("management.add-without-session") && request.headers.bearerToken == nil
    if !isOpen { try requireStepUp(request, session, unless: "step-up.add-credential") }
    return creationOptions(try begin(.addition, for: account, in: session, of: request), of: account, request)
  }

  func finishAddition(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, account) = try signedIn(request, unless: "management.add-finish-without-session")
    let passkey = try register(request, for: .addition, in: session)
    return EndpointResponse.json { (body: inout JSONObjectWriter) in
      body.writeObject("account") { (object: inout JSONObjectWriter) in Self.write(account, to: &object) }
      body.writeObject("credential") { (object: inout JSONObjectWriter) in Self.write(passkey, to: &object) }
    }
  }

  private func register(_ request: EndpointRequest, for purpose: Purpose, in session: Session?) throws -> Passkey {
    do {
      return try verifiedRegistration(request, for: purpose, in: session)
    } catch {
      // The fault: the account gets a passkey with any key.
      guard try isIgnored(error, in: request, "registration"), let account = newestCeremonies[purpose]?.account else {
        throw error
      }
      let key = try SigningKey.generate(.es256, random: .system).publicKey
      let passkey = Passkey(
        id: try RandomSource.system.bytes(32), owner: account.handle, key: key,
        aaguid: AAGUID([UInt8](repeating: 0, count: 16)) ?? .zero, transports: [], isBackupEligible: false,
        created: request.receivedAt, isBackedUp: false, counter: 0, name: "Passkey")
      accounts[account.handle] = account
      passkeys[passkey.id] = passkey
      return passkey
    }
  }

  private func verifiedRegistration(
    _ request: EndpointRequest, for purpose: Purpose, in session: Session?
  ) throws -> Passkey {
    let body = try CeremonyBody(request)
    let response = try RegistrationResponse(json: body.credential)
    let clientData = try ClientData(parsing: response.clientDataJSON)
    let ceremony = try take(clientData, for: purpose, in: session, of: request)
    guard var account = ceremony.account else { throw Refusal(.badRequest, "ceremony.unknown") }
    if let code = ceremony.code { _ = try self.account(admittedBy: code, account.email) }
    if faults.has("registration.other-account"), let email = try body.json.stringIfPresent("email") {
      account = accounts.values.first { $0.email == email } ?? account
    }
    let isKnown = purpose == .registration && accounts.values.contains { $0.email == account.email }
    if isKnown, faults.has("enumeration.registration-verify") { throw Refusal(.conflict, "account.exists") }
    var passkey = try RegistrationCheck(
      faults: faults, origin: expectedOrigin(of: request, "registration"), settings: settings
    ).verify(
      response, clientData, of: ceremony, owner: account.handle, isTaken: { isTaken($0, by: account, for: purpose) },
      at: request.receivedAt)
    if let name = try body.json.stringIfPresent("name") { passkey.name = try checkedName(name) }
    if let code = ceremony.code { spend(code) }
    accounts[account.handle] = account
    passkeys[passkey.id] = passkey
    return passkey
  }

  /// Whether a credential ID is stored. With a fault, an account can replace its own.
  private func isTaken(_ id: [UInt8], by account: Account, for purpose: Purpose) -> Bool {
    guard let stored = passkeys[id] else { return false }
    return purpose != .addition || stored.owner != account.handle || !faults.has("management.excluded-passkey")
  }
}
