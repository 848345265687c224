// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles

/// `passkey profile variables`
enum ProfileVariablesCommand: Command {
  static let specification = CommandSpecification(
    name: "profile variables",
    summary: "list the variables of each message in a profile",
    arguments: "[OPTION…] [ENDPOINT…]",
    discussion: [
      """
      Prints the variables that the request, the query and the response of each endpoint may have. A star marks those \
      that the message needs. A profile that begins a ceremony with GET has its request in the query.
      """,
      """
      $ceremony.NAME is a member of your choice that the client sends back at the end of the ceremony. $value.NAME is one \
      of the profile's values, such as a token against CSRF.
      """,
      "Exit codes: 0 printed, 2 invalid usage.",
    ],
    positionalCount: 0...EndpointName.allCases.count,
    options: [.jsonLines, .help],
    examples: [
      .init(
        command: "passkey profile variables sign-in-options sign-in-verify", meaning: "list the variables of a sign-in")
    ],
    literals: EndpointName.allCases.map(\.rawValue))

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let endpoints = try arguments.positionals.map { (name) throws(CommandFailure) in try endpoint(name) }
    let chosen = endpoints.isEmpty ? EndpointName.allCases : endpoints
    let messages = chosen.flatMap { (endpoint) in EndpointVariables.messages(of: endpoint).map { (endpoint, $0) } }
    guard arguments.asksForJSON else {
      let rows = messages.map { [$0.rawValue, $1.name, words($1)] }
      return try Output.write(TextTable(rows: [["ENDPOINT", "MESSAGE", "VARIABLES"]] + rows, width: nil).text)
    }
    try Output.write(messages.flatMap { json($0, $1) })
  }

  private static func endpoint(_ name: String) throws(CommandFailure) -> EndpointName {
    guard let endpoint = EndpointName(rawValue: name) else {
      let names = EndpointName.allCases.map(\.rawValue)
      throw .usage(
        "there is no endpoint \(name.quotedForTerminal)",
        hint: name.nearest(among: names).map { "did you mean \($0)?" }
          ?? "endpoints are \(names.joined(separator: ", "))")
    }
    return endpoint
  }

  private static func words(_ message: EndpointVariables.Message) -> String {
    let required = Set(message.required.map { "$\($0.rawValue)" })
    return message.names.map { required.contains($0) ? "\($0)*" : $0 }.joined(separator: ", ")
  }

  private static func json(_ endpoint: EndpointName, _ message: EndpointVariables.Message) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("endpoint", endpoint.rawValue)
      object.write("message", message.name)
      object.writeArray("variables") { (array) in for name in message.names { array.write(name) } }
      object.writeArray("required") { (array) in
        for variable in message.variables where message.required.contains(variable) {
          array.write("$\(variable.rawValue)")
        }
      }
    } + [UInt8(ascii: "\n")]
  }
}
