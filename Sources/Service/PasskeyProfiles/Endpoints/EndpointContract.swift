// SPDX-License-Identifier: Apache-2.0

/// The route and the messages of one endpoint.
package struct EndpointContract: Hashable, Sendable {
  /// The method, such as `POST`.
  package var method: String

  /// The path, with `{id}` and `{credential}` in place of identifiers.
  package var path: String

  /// The shape of the request body; nil if the endpoint takes none.
  package var request: Shape?

  /// The shape of the query: an object whose members are the parameters; nil if the endpoint has no parameters.
  package var query: Shape?

  /// The shape of the response body; nil for a response without a body.
  package var response: Shape?

  /// Whether the endpoint requires a step-up, where the service allows a profile to choose; nil for the service's default.
  package var stepUp: Bool?

  /// Whether sessions of accounts that wait for approval may call the endpoint.
  package var admitsPendingAccounts: Bool

  /// Creates a contract.
  package init(
    method: String, path: String, request: Shape? = nil, query: Shape? = nil, response: Shape? = nil,
    stepUp: Bool? = nil, admitsPendingAccounts: Bool = false
  ) {
    self.method = method
    self.path = path
    self.request = request
    self.query = query
    self.response = response
    self.stepUp = stepUp
    self.admitsPendingAccounts = admitsPendingAccounts
  }
}

extension EndpointContract {
  /// Returns the path with identifiers in place of its parameters. The caller has encoded them for a URL.
  package func path(id: String, credential: String? = nil) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { segment in
        switch segment {
        case "{id}": id
        case "{credential}": credential ?? String(segment)
        default: String(segment)
        }
      }
      .joined(separator: "/")
  }
}
