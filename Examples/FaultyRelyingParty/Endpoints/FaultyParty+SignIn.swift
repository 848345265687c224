// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import WebAuthnTypes
import WireFormats

extension FaultyParty {
  /// Begins a sign-in. The options are the same for every address, because passkeys are discoverable.
  func beginSignIn(_ request: HTTPRequest) throws -> HTTPResponse {
    let email = try JSONBody(request).stringIfPresent("email", atMost: 254)
    _ = email
    return assertionOptions(try begin(.signIn, for: nil, of: request), allowing: [], request)
  }

  func finishSignIn(_ request: HTTPRequest) throws -> HTTPResponse {
    try checkFailures(of: request)
    let passkey: Passkey
    do {
      passkey = try assert(request, for: .signIn, in: nil).passkey
    } catch {
      countFailure(of: request)
      throw error
    }
    return try openSession(passkey, request) { (_) in }
  }

  func beginReverification(_ request: HTTPRequest) throws -> HTTPResponse {
    let (session, account) = try signedIn(request)
    let ceremony = try begin(.reverification, for: account, in: session, of: request)
    return assertionOptions(ceremony, allowing: passkeys(of: account).map(\.id), request)
  }

  func finishReverification(_ request: HTTPRequest) throws -> HTTPResponse {
    let (session, _) = try signedIn(request)
    _ = try assert(request, for: .reverification, in: session)
    return try showAccount(request)
  }

  /// Verifies the assertion in a request, and returns the passkey that signed it and the ceremony.
  func assert(
    _ request: HTTPRequest, for purpose: Purpose, in session: Session?
  ) throws -> (passkey: Passkey, ceremony: Ceremony) {
    let response = try AuthenticationResponse(json: CeremonyBody(request).credential)
    let clientData = try ClientData(parsing: response.clientDataJSON)
    let ceremony = try take(clientData, for: purpose, in: session, of: request)
    guard var passkey = passkeys[Array(response.id.bytes)] else {
      throw Refusal(.unauthorized, "authentication.failed")
    }
    try AuthenticationCheck(faults: faults, origin: origin).verify(
      response, clientData, of: ceremony, by: &passkey)
    passkey.lastUsed = request.receivedAt
    passkeys[passkey.id] = passkey
    return (passkey, ceremony)
  }

  /// Returns the passkeys of an account, oldest first.
  func passkeys(of account: Account) -> [Passkey] {
    passkeys.values.filter { $0.owner == account.handle }.sorted { ($0.created, $0.name) < ($1.created, $1.name) }
  }

  /// Refuses a client that failed too often in this minute.
  private func checkFailures(of request: HTTPRequest) throws {
    let minute = request.receivedAt.secondsSince1970 / 60
    guard let entry = failures[client(of: request)], entry.minute == minute, entry.count >= settings.failuresPerMinute
    else { return }
    var refusal = Refusal(.tooManyRequests, "http.too-many-requests")
    refusal.headers.set("retry-after", String(60 - request.receivedAt.secondsSince1970 % 60))
    throw refusal
  }

  private func countFailure(of request: HTTPRequest) {
    let minute = request.receivedAt.secondsSince1970 / 60
    let entry = failures[client(of: request)]
    let count = entry?.minute == minute ? entry?.count ?? 0 : 0
    failures[client(of: request)] = (minute, count + 1)
  }

  /// Returns the address that failures are counted for.
  private func client(of request: HTTPRequest) -> String { request.peer.description }
}
