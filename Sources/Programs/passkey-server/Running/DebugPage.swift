// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeySystem
internal import WebAuthnInspection
internal import WebAuthnTypes

/// `/debug`: explains pasted artifacts to clients of this machine. It knows nothing of the service: no account, key, session or
/// setting.
enum DebugPage {
  private static let site = ExplanationSite(path: "/debug")

  /// Serializes explanations, which can take much memory.
  private static let explaining = Locked(())

  /// Returns whether to serve the page. Pasted artifacts are not to leave the machine, so the server must listen on it only.
  static func isServed(_ choice: Settings.Choice, at listen: ListeningAddress) throws(CommandFailure) -> Bool {
    guard choice.text == "on" else { return false }
    guard listen.isLoopback else {
      throw .usage(
        "\(choice.place) needs a server that listens on this machine only",
        hint: "listen at 127.0.0.1, or use passkey explain --serve")
    }
    return true
  }

  /// The risk of a server that pages of a public site use: a proxy that adds no header field looks like a local client. A
  /// trusted proxy adds one.
  static func warnings(for relyingParty: RelyingPartyID, behind proxies: TrustedProxies) -> [String] {
    guard !relyingParty.isLocal, proxies.blocks.isEmpty else { return [] }
    return ["a proxy on this machine that adds no X-Forwarded-For shows /debug to all of its clients"]
  }

  /// The routes of the page and its files.
  static var routes: [EndpointRoute] {
    [EndpointRoute(.get, site.path, respond), EndpointRoute(.post, site.path, respond)]
      + site.filePaths.map { (path) in EndpointRoute(.get, path, respond) }
  }

  @Sendable private static func respond(to request: EndpointRequest) async throws -> EndpointResponse {
    guard request.isOfThisMachine else { throw EndpointError(.notFound) }
    let asked = ExplanationSite.Request(
      // The router answers HEAD by the handler of GET, and sends no body.
      method: request.method == .head ? "GET" : request.method.rawValue, path: request.target.path,
      host: request.headers["host"], origin: request.headers["origin"], fetchSite: request.headers["sec-fetch-site"],
      body: request.body[...])
    let answer = await SystemThread.run {
      explaining.withLock { (_) in site.respond(to: asked, at: request.receivedAt) }
    }
    guard let answer else { throw EndpointError(.internalError) }
    var response = EndpointResponse(
      EndpointStatus(rawValue: answer.status), contentType: answer.type, body: answer.body)
    for (name, value) in ExplanationSite.headers { response.headers.set(name, value) }
    return response
  }
}
