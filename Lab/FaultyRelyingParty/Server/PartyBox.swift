// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeySystem

/// The handler of a server that is set after the server listens. Requests before that are refused with 503.
final class PartyBox: Sendable {
  private let handler = Locked<(@Sendable (EndpointRequest) async -> EndpointResponse)?>(nil)

  func set(_ handler: @escaping @Sendable (EndpointRequest) async -> EndpointResponse) {
    self.handler.withLock { $0 = handler }
  }

  func respond(to request: EndpointRequest) async -> EndpointResponse {
    guard let handler = handler.withLock({ $0 }) else { return EndpointResponse(.serviceUnavailable) }
    return await handler(request)
  }
}
