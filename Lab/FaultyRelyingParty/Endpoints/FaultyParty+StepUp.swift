// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP

extension FaultyParty {
  /// Begins the confirmation of one request.
  func beginStepUp(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, account) = try signedIn(request, unless: "step-up.options-without-session")
    let body = try JSONBody(request)
    let action = Action(
      method: try body.string("method"), path: try body.string("path"),
      bodyDigest: try body.base64URLIfPresent("bodySha256") ?? Digest.sha256([]))
    let ceremony = try begin(.stepUp, for: account, in: session, of: request, action: action)
    return assertionOptions(ceremony, allowing: passkeys(of: account).map(\.id), request)
  }

  func finishStepUp(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, account) = try signedIn(request)
    let ceremony = try assert(request, for: .stepUp, in: session).ceremony
    let begun = ceremonies.values.first { $0.purpose == .stepUp && $0.session == session.id }
    guard let action = ceremony.action ?? begun?.action else { throw Refusal(.badRequest, "ceremony.unknown") }
    let grant = Grant(
      token: try makeToken(), session: session.id, owner: account.handle, action: action,
      expiry: request.receivedAt + .seconds(settings.grantSeconds))
    grants[grant.token] = grant
    return EndpointResponse.json { (body: inout JSONObjectWriter) in
      body.write("header", Action.grantHeader)
      body.write("grant", grant.token)
      body.write("expiresAt", grant.expiry)
    }
  }

  /// Requires a grant for exactly this request, and consumes it.
  func requireStepUp(_ request: EndpointRequest, _ session: Session, unless fault: String) throws {
    guard !faults.has(fault) else { return }
    if session.opening == .registration, faults.has("step-up.after-registration") { return }
    if session.opening == .renewal, faults.has("step-up.after-refresh") { return }
    let query = request.target.query.map { "?\($0)" } ?? ""
    let action = Action(
      method: request.method.rawValue, path: request.target.path + query, bodyDigest: Digest.sha256(request.body))
    let demand = Refusal.needsStepUp(action)
    guard let token = request.headers[Action.grantHeader] else { throw demand }
    guard let grant = grants[token] else {
      if faults.has("step-up.forged-grant") { return }
      throw demand
    }
    func require(_ fault: String, _ holds: Bool) throws {
      guard holds || faults.has(fault) else { throw demand }
    }
    try require("step-up.other-method", grant.action.method == action.method)
    try require("step-up.other-path", grant.action.path == action.path)
    try require("step-up.other-body", grant.action.bodyDigest == action.bodyDigest)
    try require("step-up.other-account", grant.owner == session.owner)
    // Sessions of another account are refused above.
    try require("step-up.other-session", grant.session == session.id || grant.owner != session.owner)
    try require("step-up.expired", request.receivedAt < grant.expiry)
    if !faults.has("step-up.grant-reuse") { grants[token] = nil }
  }

  /// Returns the session of a request. With a fault, a request without a session gets the session that was opened last.
  func signedIn(_ request: EndpointRequest, unless fault: String) throws -> (Session, Account) {
    let isAnonymous = request.headers.bearerToken == nil && cookie("", of: request) == nil
    guard isAnonymous, faults.has(fault), let session = newestSession, let account = accounts[session.owner] else {
      return try signedIn(request)
    }
    return (session, account)
  }
}
