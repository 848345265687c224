// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

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

  /// The name of the element whose text or value is the JSON of the response, which is a page; nil for a response in JSON.
  package var page: String?

  /// The requests that a client sends before this one: that of a password, for example.
  package var before: [EndpointContract] = []

  /// The place to which the response redirects; nil for any.
  package var location: String?

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

  /// Whether the endpoint belongs to pages: it has requests before it, or answers with a redirect.
  package var isOfPages: Bool { !before.isEmpty || location != nil }

  /// The media type of the request.
  package var contentType: String { isForm ? "application/x-www-form-urlencoded" : "application/json" }

  /// The kept values of the response and of the responses to ``before``.
  package var keptNamesOfResponse: Set<KeptName> {
    before.reduce(into: (response?.keptNames ?? []).union(keptNamesOfLocation)) { $0.formUnion($1.keptNamesOfResponse) }
  }

  private var keptNamesOfLocation: [KeptName] {
    location?.split(separator: "/").compactMap { ProfileRoute.keptName(of: $0) } ?? []
  }

  /// Reads the values in the path to which a response redirects.
  ///
  /// - Returns: Whether the response redirects to the place that the contract names.
  package func readLocation(_ field: String?, into kept: inout KeptValues) -> Bool {
    guard let location else { return true }
    guard let field else { return false }
    // Without scheme and host, query and fragment.
    var path = field[...]
    if let scheme = path.firstRange(of: "://") {
      path = path[scheme.upperBound...].drop { $0 != "/" }
    }
    path = path.prefix { $0 != "?" && $0 != "#" }
    let wanted = location.split(separator: "/", omittingEmptySubsequences: false)
    let found = path.split(separator: "/", omittingEmptySubsequences: false)
    guard wanted.count == found.count else { return false }
    for (segment, text) in zip(wanted, found) {
      if let name = ProfileRoute.keptName(of: segment) {
        kept[name] = .text(String(text))
      } else if segment != text {
        return false
      }
    }
    return true
  }

  /// Parses the JSON of a response.
  package func document(_ body: [UInt8]) throws(WireError) -> JSONValue {
    guard let page else { return try JSON.parse(JSON.withoutByteOrderMark(body), maximumSize: body.count) }
    guard let text = ComputedValue.element(named: page, in: body) else {
      throw WireError(.jsonWrongType, at: 0)
    }
    return try JSON.parse(text)
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
