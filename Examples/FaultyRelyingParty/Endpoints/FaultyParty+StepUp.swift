// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import SystemCrypto
import WireFormats

extension FaultyParty {
  /// Begins the confirmation of one request.
  func beginStepUp(_ request: HTTPRequest) throws -> HTTPResponse {
    let (session, account) = try signedIn(request)
    let body = try JSONBody(request)
    let action = Action(
      method: try body.string("method"), path: try body.string("path"),
      bodyDigest: try body.base64URLIfPresent("bodySha256") ?? Digest.sha256([]))
    let ceremony = try begin(.stepUp, for: account, in: session, of: request, action: action)
    return assertionOptions(ceremony, allowing: passkeys(of: account).map(\.id), request)
  }

  func finishStepUp(_ request: HTTPRequest) throws -> HTTPResponse {
    let (session, account) = try signedIn(request)
    let ceremony = try assert(request, for: .stepUp, in: session).ceremony
    guard let action = ceremony.action else { throw Refusal(.badRequest, "ceremony.unknown") }
    let grant = Grant(
      token: try makeToken(), session: session.id, owner: account.handle, action: action,
      expiry: request.receivedAt + .seconds(settings.grantSeconds))
    grants[grant.token] = grant
    return HTTPResponse.json { (body: inout JSONObjectWriter) in
      body.write("header", Action.grantHeader)
      body.write("grant", grant.token)
      body.write("expiresAt", grant.expiry)
    }
  }

  /// Requires a grant for exactly this request, and consumes it.
  func requireStepUp(_ request: HTTPRequest, _ session: Session) throws {
    let query = request.target.query.map { "?\($0)" } ?? ""
    let action = Action(
      method: request.method.rawValue, path: request.target.path + query, bodyDigest: Digest.sha256(request.body))
    let demand = Refusal.needsStepUp(action)
    guard let token = request.headers[Action.grantHeader], let grant = grants[token] else { throw demand }
    guard grant.action.method == action.method else { throw demand }
    guard grant.action.path == action.path else { throw demand }
    guard grant.action.bodyDigest == action.bodyDigest else { throw demand }
    guard grant.owner == session.owner else { throw demand }
    guard grant.session == session.id else { throw demand }
    guard request.receivedAt < grant.expiry else { throw demand }
    grants[token] = nil
  }
}
