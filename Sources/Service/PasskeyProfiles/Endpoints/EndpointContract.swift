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

  /// Whether the request body is a form (`application/x-www-form-urlencoded`) rather than JSON.
  package var isForm = false

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

  /// The kept values in the path, which writes them as `{ceremony.NAME}`.
  package var keptNamesOfPath: [KeptName] {
    path.split(separator: "/").compactMap { ProfileRoute.keptName(of: $0) }
  }

  /// The kept values that a request needs: in its path, its query and its body.
  package var keptNamesOfRequest: Set<KeptName> {
    (request?.keptNames ?? []).union(query?.keptNames ?? []).union(keptNamesOfPath)
  }

  /// Returns a path with values in place of `{ceremony.NAME}`. `escape` encodes a value for a URL.
  package static func path(_ path: String, with values: KeptValues, _ escape: (String) -> String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { (segment) in
        ProfileRoute.keptName(of: segment).flatMap { values[$0]?.flatText }.map(escape) ?? String(segment)
      }
      .joined(separator: "/")
  }
}
