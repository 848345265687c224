// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// A request, as the command line has it: what is shown, confirmed and sent is this, byte for byte.
struct Act: Sendable {
  let method: String
  let path: String
  let body: [UInt8]
  /// What the body is sent as; nil without one.
  let contentType: String?
  /// What the command line says that it is.
  let givenContentType: String?

  static let contentTypeOption = OptionSpecification(
    name: "--content-type", value: .init(name: "TYPE"), help: "what the body is (application/json)")

  /// The methods that there commonly are, for help and completion.
  static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

  /// How the first line of help draws it.
  static let drawing = methods.joined(separator: "|") + " /PATH"

  /// Reads method, path and body, and fails where no request can be made of them.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    method = try Self.method(arguments.positionals[0])
    path = try Self.path(arguments.positionals[1])
    givenContentType = arguments[Self.contentTypeOption.name]
    contentType = try Self.contentType(arguments, givenContentType)
    body = try RequestBody.bytes(arguments)
    guard body.isEmpty || ServerRequest.isWrite(method) else {
      throw .usage("\(method) takes no body", hint: "leave --data out, or write POST, PUT, PATCH or DELETE")
    }
  }

  var demand: StepUpDemand { StepUpDemand(method: method, path: path, body: body[...]) }

  /// Sends it, once, as whoever is signed in.
  func send(at server: LiveServer, _ grant: StepUpGrant?) async throws(CommandFailure) -> RequestOutcome {
    try await server.inSession(writes: ServerRequest.isWrite(method)) {
      (handshake, session) async throws(ClientError) in
      try await handshake.send(
        method: method, path: path, body: body, contentType: contentType, grant: grant, in: &session)
    }
  }

  // 32 letters  [the longest that is registered has 17]
  private static let maximumMethodLength = 32
  // 8 KiB  [what servers take of a request's first line]
  private static let maximumPathByteCount = 8192

  private static func method(_ text: String) throws(CommandFailure) -> String {
    let method = text.uppercased()
    guard method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }), !method.isEmpty,
      method.utf8.count <= maximumMethodLength
    else {
      throw .usage("the method cannot be \(text.quotedForTerminal)", hint: "it is a word such as GET or POST")
    }
    // A slip would be sent, and taken for a request that writes.
    let known = methods + ["HEAD", "OPTIONS"]
    guard known.contains(method) else {
      throw .usage(
        "the method cannot be \(text.quotedForTerminal)",
        hint: method.nearest(among: methods).map { "did you mean \($0)?" } ?? "it is \(known.joined(separator: ", "))")
    }
    return method
  }

  private static func path(_ text: String) throws(CommandFailure) -> String {
    guard text.utf8.count <= maximumPathByteCount else {
      throw .usage("the path has more than \(maximumPathByteCount) bytes", hint: "what is longer goes into the body")
    }
    guard text.utf8.first == UInt8(ascii: "/") else {
      throw .usage(
        "the path cannot be \(text.quotedForTerminal)",
        hint: "it begins with a slash, as in /api/orders?open=true, and the server is named by --server")
    }
    guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") }) else {
      throw .usage(
        "the path cannot be \(text.quotedForTerminal)",
        hint: "spaces, # and what is not ASCII are written in percent signs, such as %20")
    }
    return text
  }

  private static func contentType(
    _ arguments: ParsedArguments, _ given: String?
  ) throws(CommandFailure) -> String? {
    guard arguments.has(RequestBody.option.name) else {
      guard given == nil else {
        throw .usage("--content-type is of a body, and there is none", hint: "--data gives the body")
      }
      return nil
    }
    guard let given else { return "application/json" }
    guard !given.isEmpty, given.utf8.count <= 256, given.utf8.allSatisfy({ 0x20...0x7e ~= $0 }),
      given.utf8.first != 0x20, given.utf8.last != 0x20
    else {
      throw .usage(
        "--content-type cannot be \(given.quotedForTerminal)", hint: "it is a media type, such as text/plain")
    }
    return given
  }
}
