// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyHTTPServer
internal import PasskeyProfiles
internal import PasskeyTransfers
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// `passkey-server ready [HOST]`
enum ReadyCommand: Command {
  static let specification = CommandSpecification(
    name: "ready",
    summary: "ask the running server whether it is ready",
    arguments: "[OPTION…] [HOST]",
    discussion: [
      """
      For health checks where no other program is, such as in the container image. Takes the settings of the server, and \
      asks its endpoint for readiness at the address of --listen. With TLS it trusts only the certificate of the settings, \
      which must name HOST: the host of the first origin, unless given.
      """,
      """
      Exit codes: 0 ready, 1 a file cannot be used, 2 invalid usage or setting, 3 the server does not answer, 4 it is not \
      ready.
      """,
    ],
    positionalCount: 0...1,
    options: Setting.allOptions + [.help],
    examples: [
      .init(
        command: "passkey-server ready --config /etc/passkey-server.json",
        meaning: "ask the server with this settings file")
    ])

  // 5 s  [the server answers from memory, or after one write]
  private static let timeout = Duration.seconds(5)
  // 64 KiB  [the response has a few hundred bytes]
  private static let maximumByteCount = 1 << 16

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let configuration = try ServerConfiguration(arguments)
    guard configuration.listen.port != 0 else {
      throw .usage("the port is chosen at the start", hint: "name it with \(Setting.listen.option)")
    }
    guard let path = configuration.profile[.readiness]?.path else {
      throw .usage("the profile has no endpoint for readiness", hint: "add \"readiness\" to its endpoints")
    }
    let request = request(path, configuration, host: arguments.positionals.first)
    let outcome = try Blocking.wait { () async throws(CommandFailure) in
      let queue = TransferQueue()
      defer { queue.close() }
      return await queue.perform { request }
    }
    switch outcome.result {
    case .success(let reply) where reply.status == 200: return
    case .success(let reply): throw .refusedByServer("the server is not ready: status \(reply.status)")
    case .failure(let fault): throw .network("cannot ask \(configuration.listen): \(fault.reason.escapedForTerminal)")
    }
  }

  private static func request(_ path: String, _ configuration: ServerConfiguration, host: String?) -> TransferRequest {
    let address = configuration.listen.reachable
    let content = HTTPContent(method: "GET", userAgent: "passkey-server")
    let scheme = configuration.tls == nil ? "http" : "https"
    let host = configuration.tls == nil ? nil : host ?? configuration.relyingParty.origins.lazy.compactMap(\.host).first
    let authority = host.map { "\($0):\(address.port)" } ?? "\(address)"
    var request = TransferRequest(
      "\(scheme)://\(authority)\(path)", scheme: scheme, .http(content), connectTimeout: timeout,
      totalTimeout: timeout, maximumBodyByteCount: maximumByteCount, maximumHeaderByteCount: maximumByteCount)
    request.certificateAuthority = configuration.tls?.certificatePath
    request.connectTo = ["::\(address)"]
    return request
  }
}

extension ListeningAddress {
  /// The address at which this machine reaches the server: a loopback address if it listens on all addresses.
  fileprivate var reachable: Self {
    guard address.isUnspecified else { return self }
    return Self(address: address.version == .four ? .loopback : .loopbackV6, port: port)
  }
}

extension WebOrigin {
  /// The host of a web origin.
  fileprivate var host: String? {
    if case .web(_, let host, _) = kind { host } else { nil }
  }
}
