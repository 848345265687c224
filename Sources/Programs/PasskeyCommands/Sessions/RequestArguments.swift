// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnClient

/// A request from the command line. Exactly these bytes are shown, confirmed and sent.
struct RequestArguments: CommandArguments, Sendable {
  /// All arguments of the command.
  let arguments: ParsedArguments
  let method: String
  let path: String
  let body: [UInt8]
  /// The media type that is sent with the body; nil without a body.
  let contentType: String?
  /// The header fields from the command line.
  let headers: [HeaderField]
  /// The media type from the command line, if given.
  let givenContentType: String?

  static let contentTypeOption = Option(
    "--content-type", "TYPE", help: "the content type of the body (application/json)")

  static let bodyOption = Option("--data", "TEXT|@FILE|-", help: "the body: text, @FILE, or - for standard input")
    .short("-d")

  static let headerOption = Option<[String]>(
    "--header", "NAME: VALUE", help: "send this header field, instead of one of the profile with the same name"
  ).short("-H")

  /// The methods. A misspelled one would be sent and treated as a write, so others are refused.
  static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

  /// The placeholder in the usage line.
  static let placeholder = methods.joined(separator: "|") + " /PATH"

  /// The number of arguments. The third one is refused with a hint, because it is often the body.
  static let positionalCount = 2...3

  /// Reads method, path and body. Throws if they do not form a valid request.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    self.arguments = arguments
    if arguments.positionals.count > 2 {
      throw .usage("request: too many arguments (3; at most 2)", hint: "give the body with --data")
    }
    method = try Self.method(arguments.positionals[0])
    path = try Self.path(arguments.positionals[1])
    givenContentType = arguments[Self.contentTypeOption]
    contentType = try Self.contentType(arguments, givenContentType)
    body = try Self.body(arguments[Self.bodyOption])
    headers = try arguments[Self.headerOption].map { (text) throws(CommandFailure) in try Self.header(text) }
    guard body.isEmpty || ServerRequest.isWrite(method) else {
      throw .usage("\(method) takes no body", hint: "omit --data, or write POST, PUT, PATCH or DELETE")
    }
  }

  /// Sends the request in the current session. If the server asks for a passkey again first, verifies the user and sends the
  /// request, which the server has not carried out, once more.
  func send(at server: LiveServer, _ grant: StepUpGrant?) async throws(CommandFailure) -> RequestOutcome {
    let outcome = try await sendOnce(at: server, grant)
    guard case .answered(let reply) = outcome, reply.problem?.requiresVerification == true,
      server.options.profile.canReverify
    else { return outcome }
    try await server.reverifyOnDemand()
    return try await sendOnce(at: server, grant)
  }

  private func sendOnce(at server: LiveServer, _ grant: StepUpGrant?) async throws(CommandFailure) -> RequestOutcome {
    try await server.inSession(writes: ServerRequest.isWrite(method)) {
      (handshake, session) async throws(ClientError) in
      try await handshake.send(
        method: method, path: path, body: body, contentType: contentType, headers: headers, grant: grant, in: &session)
    }
  }

  /// Reads a confirmation that `passkey step-up` wrote to a file: anyone who sees it on a command line could use it.
  func grant(from file: String) throws(CommandFailure) -> StepUpGrant {
    let text = String(decoding: try InputFile.bytes(file, limit: 8192), as: UTF8.self)
    let token = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    do throws(ClientError) {
      return try StepUpGrant(
        exposedText: token, for: StepUpDemand(method: method, path: path, body: body))
    } catch {
      throw .usage("\(file.quotedForTerminal) contains no confirmation", hint: "create one with passkey step-up")
    }
  }

  // 1 MiB  [far above the limit of such servers]
  private static let maximumBodyByteCount = 1 << 20

  /// Reads the body: the text itself, `@FILE`, or `-` for standard input. It is empty without the option.
  static func body(_ text: String?) throws(CommandFailure) -> [UInt8] {
    guard let text else { return [] }
    if text == "-" { return try InputFile.bytes("-", limit: maximumBodyByteCount) }
    if text.hasPrefix("@") { return try InputFile.bytes(String(text.dropFirst()), limit: maximumBodyByteCount) }
    return [UInt8](text.utf8)
  }

  private static func header(_ text: String) throws(CommandFailure) -> HeaderField {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = String(parts.last ?? "").trimmingPrefix { $0 == " " }
    guard parts.count == 2, !parts[0].isEmpty,
      parts[0].utf8.allSatisfy({ 0x21...0x7e ~= $0 }), value.utf8.allSatisfy({ 0x20...0x7e ~= $0 })
    else {
      throw .usage(
        "--header cannot be \(text.quotedForTerminal)", hint: "write a name and a value, as in 'X-Client: test'")
    }
    guard parts[0].lowercased() != "content-type" else {
      throw .usage("--header cannot set the content type", hint: "use --content-type")
    }
    return HeaderField(String(parts[0]), String(value))
  }

  // 8 KiB  [the usual limit of servers for a request line]
  private static let maximumPathByteCount = 8192

  static func method(_ text: String) throws(CommandFailure) -> String {
    let method = text.uppercased()
    guard methods.contains(method) else {
      throw .usage(
        "the method cannot be \(text.quotedForTerminal)",
        hint: method.nearest(among: methods).map { "did you mean \($0)?" } ?? "use \(methods.joined(separator: ", "))")
    }
    return method
  }

  static func path(_ text: String) throws(CommandFailure) -> String {
    guard text.utf8.count <= maximumPathByteCount else {
      throw .usage("the path has more than \(maximumPathByteCount) bytes", hint: "send longer values in the body")
    }
    guard text.utf8.first == UInt8(ascii: "/") else {
      throw .usage(
        "the path cannot be \(text.quotedForTerminal)",
        hint: "begin the path with a slash, as in /api/orders?open=true; --server names the server")
    }
    guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") }) else {
      throw .usage(
        "the path cannot be \(text.quotedForTerminal)",
        hint: "percent-encode spaces, # and non-ASCII characters, such as %20")
    }
    return text
  }

  private static func contentType(
    _ arguments: ParsedArguments, _ given: String?
  ) throws(CommandFailure) -> String? {
    guard arguments.has(bodyOption) else {
      guard given == nil else {
        throw .usage("--content-type needs a body", hint: "give the body with --data")
      }
      return nil
    }
    guard let given else { return "application/json" }
    guard !given.isEmpty, given.utf8.count <= 256, given.utf8.allSatisfy({ 0x20...0x7e ~= $0 }),
      given.utf8.first != 0x20, given.utf8.last != 0x20
    else {
      throw .usage(
        "--content-type cannot be \(given.quotedForTerminal)", hint: "use a media type, such as text/plain")
    }
    return given
  }
}
