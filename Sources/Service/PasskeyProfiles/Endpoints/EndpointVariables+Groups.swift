// SPDX-License-Identifier: Apache-2.0

extension EndpointVariables {
  /// A message of an endpoint with its variables.
  package struct Message: Sendable {
    /// The member of the profile: `request`, `query` or `response`.
    package let name: String
    package let variables: [ShapeVariable]
    /// The variables that the message must have.
    package let required: Set<ShapeVariable>
    /// The kept values that the message may have.
    package let kept: [KeptName.Kind]

    /// The variables as a profile writes them, with the kept values at the end.
    package var names: [String] { variables.map { "$\($0.rawValue)" } + kept.map { "$\($0.rawValue).NAME" } }

    /// The names, with groups of variables under one name.
    package var shortNames: [String] {
      var rest = variables
      var names: [String] = []
      for group in EndpointVariables.groups where group.variables.allSatisfy(rest.contains) {
        names.append(group.name)
        rest.removeAll { group.variables.contains($0) }
      }
      return names + rest.map { "$\($0.rawValue)" } + kept.map { "$\($0.rawValue).NAME" }
    }
  }

  /// Groups of variables that messages share, by which documentation names them.
  package static let groups: [(name: String, variables: [ShapeVariable])] = [
    ("account", ShapeVariable.account), ("new session", ShapeVariable.openedSession),
    ("listed session", ShapeVariable.listedSession), ("passkey", ShapeVariable.passkey),
    ("device", ShapeVariable.device), ("verification", ShapeVariable.verification),
    ("names", [.accountUsername, .accountEmail, .accountName]), ("notice selection", ShapeVariable.noticeSelection),
  ]

  /// Returns the messages of an endpoint that have variables. An endpoint with a fixed response has none.
  package static func messages(of endpoint: EndpointName) -> [Message] {
    guard !endpoint.hasFixedResponse else { return [] }
    let variables = EndpointVariables(endpoint)
    let sent: [KeptName.Kind] = endpoint.beginning == nil ? [.value] : [.ceremony, .value]
    let isQuery = !variables.query.isEmpty
    return [
      Message(name: "request", variables: variables.request, required: Set(variables.required), kept: sent),
      Message(name: "query", variables: variables.query, required: [], kept: isQuery ? sent : []),
      Message(
        name: "response", variables: variables.response, required: Set(variables.requiredResponse),
        kept: endpoint.begins ? [.ceremony] : []),
    ].filter { !$0.variables.isEmpty }
  }
}
