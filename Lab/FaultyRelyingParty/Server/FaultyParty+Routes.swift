// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP

/// A route of the relying party.
struct FaultyEndpoint: Sendable {
  let method: EndpointMethod
  let path: String
  let handler: @Sendable (isolated FaultyParty, EndpointRequest) async throws -> EndpointResponse

  init(
    _ method: EndpointMethod, _ path: String,
    _ handler: @escaping @Sendable (isolated FaultyParty, EndpointRequest) async throws -> EndpointResponse
  ) {
    (self.method, self.path, self.handler) = (method, path, handler)
  }
}

extension FaultyParty {
  static let endpoints = [
    FaultyEndpoint(.post, "/api/auth/register/options") { try $0.beginRegistration($1) },
    FaultyEndpoint(.post, "/api/auth/register/verify") { try $0.finishRegistration($1) },
    FaultyEndpoint(.post, "/api/auth/add-passkey/options") { try $0.beginAddition($1) },
    FaultyEndpoint(.post, "/api/auth/add-passkey/verify") { try $0.finishAddition($1) },
    FaultyEndpoint(.post, "/api/auth/login/options") { try await $0.beginSignIn($1) },
    FaultyEndpoint(.post, "/api/auth/login/verify") { try await $0.finishSignIn($1) },
    FaultyEndpoint(.post, "/api/auth/step-up/options") { try $0.beginStepUp($1) },
    FaultyEndpoint(.post, "/api/auth/step-up/verify") { try $0.finishStepUp($1) },
    FaultyEndpoint(.post, "/api/auth/reverify/options") { try $0.beginReverification($1) },
    FaultyEndpoint(.post, "/api/auth/reverify/verify") { try $0.finishReverification($1) },
    FaultyEndpoint(.get, "/api/auth/me") { try $0.showAccount($1) },
    FaultyEndpoint(.post, "/api/auth/logout") { try $0.signOut($1) },
    FaultyEndpoint(.post, "/api/auth/refresh") { try $0.refresh($1) },
    FaultyEndpoint(.get, "/api/auth/sessions") { try $0.listSessions($1) },
    FaultyEndpoint(.delete, "/api/auth/sessions") { try $0.revokeSessions($1) },
    FaultyEndpoint(.delete, "/api/auth/sessions/{id}") { try $0.revokeSession($1) },
    FaultyEndpoint(.get, "/api/auth/credentials") { try $0.listPasskeys($1) },
    FaultyEndpoint(.get, "/api/auth/credentials/{id}") { try $0.showPasskey($1) },
    FaultyEndpoint(.patch, "/api/auth/credentials/{id}") { try $0.renamePasskey($1) },
    FaultyEndpoint(.delete, "/api/auth/credentials/{id}") { try $0.deletePasskey($1) },
    FaultyEndpoint(.get, "/api/account/export") { try $0.exportAccount($1) },
    FaultyEndpoint(.delete, "/api/account") { try $0.eraseAccount($1) },
    FaultyEndpoint(.post, "/api/auth/recovery") { try $0.requestRecovery($1) },
    FaultyEndpoint(.get, "/.well-known/webauthn") { $0.relatedOrigins($1) },
    FaultyEndpoint(.get, "/.well-known/passkey-endpoints") { $0.passkeyEndpoints($1) },
    FaultyEndpoint(.get, "/.well-known/assetlinks.json") { $0.assetLinks($1) },
    FaultyEndpoint(.get, "/.well-known/apple-app-site-association") { $0.appSiteAssociation($1) },
  ]
}
