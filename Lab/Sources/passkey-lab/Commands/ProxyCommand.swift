// SPDX-License-Identifier: Apache-2.0

internal import FaultProxy
internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem

/// `passkey proxy SERVER`
enum ProxyCommand: Command {
  private static let listen = Option(
    "--listen", "HOST:PORT",
    help: "listen at this address (127.0.0.1:0, where 0 selects a free port)")
  private static let allowClientsOfOtherMachines = Option(
    "--allow-clients-of-other-machines",
    help: "listen at an address that other machines can reach; they may get the rights of this machine")
  private static let rule = Option<[String]>("--rule", "RULE", help: "apply this rule: MATCH: FAULT")
  private static let ruleFile = Option(
    "--rules", "FILE", help: "apply the rules of this file (JSON), before those of --rule")
  private static let bytes = Option("--bytes", help: "forward any protocol, such as TLS or a database's")

  static let specification = CommandSpecification(
    name: "proxy",
    summary: "forward to a server with network and protocol faults",
    arguments: "[OPTION…] SERVER",
    discussion: [
      """
      Forwards connections to SERVER, which is HOST:PORT or http://HOST[:PORT], and applies faults by rules: to test how \
      an app behaves when the network fails. Listens on loopback. Prints its address, then a line for each request, \
      until it is interrupted.
      """,
      """
      A rule is MATCH: FAULT. MATCH is METHOD PATH, with * for any method and at the end of a path, and perhaps #N for \
      the Nth such request only. FAULT is delay-request TIME, cut-request BYTES, truncate-request BYTES, \
      duplicate-request, reorder-request, change-request POINTER JSON, remove-request POINTER, the same with -reply, or \
      status CODE. A cut resets the connections after that many bytes (0); a truncation ends them as if the sender had \
      closed. status answers in place of the server.
      """,
      """
      The traffic must be HTTP/1 without TLS. With --bytes it can be anything, and MATCH is a word in quotation marks that \
      the client sends; changes, status and reorder need HTTP.
      """,
      """
      A server on this machine sees every client of the proxy as 127.0.0.1, and may give it the rights of a local program. \
      The proxy therefore listens on loopback only, unless --allow-clients-of-other-machines is given. It then adds \
      X-Forwarded-For to their requests; with --bytes it cannot.
      """,
      """
      Exit codes: 0 interrupted, 1 a file cannot be read or the address cannot be listened at, 2 invalid usage.
      """,
    ],
    positionalCount: 1...1,
    options: [listen, allowClientsOfOtherMachines, rule, ruleFile, bytes, .jsonLines, .help],
    examples: [
      .init(
        command: "passkey proxy --rule 'POST /api/auth/login/verify #1: cut-reply' http://127.0.0.1:8080",
        meaning: "lose the reply to the first finished ceremony"),
      .init(
        command: "passkey proxy --rule '* /*: delay-reply 2s' --listen 127.0.0.1:9090 127.0.0.1:8080",
        meaning: "answer every request two seconds later"),
      .init(
        command: "passkey proxy --rule 'POST /login/verify: change-request /id \"AAAA\"' 127.0.0.1:8080",
        meaning: "change a member of a request"),
    ])

  struct Options: CommandArguments {
    fileprivate let server: SocketAddress
    fileprivate let address: SocketAddress
    fileprivate let rules: [FaultRule]
    fileprivate let traffic: ProxyServer.Traffic
    fileprivate let allowsOtherMachines: Bool
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      asJSON = arguments.asksForJSON
      allowsOtherMachines = arguments[allowClientsOfOtherMachines]
      traffic = arguments[bytes] ? .bytes : .http
      server = try Self.server(arguments.positionals[0])
      let place = arguments[listen]
      do throws(FaultProxyError) {
        address = if let place { try SocketAddress(place) } else { .loopback() }
      } catch {
        throw .usage("--listen cannot be \((place ?? "").quotedForTerminal)", hint: "write it as 127.0.0.1:9090")
      }
      rules = try Self.rules(arguments)
      for rule in rules {
        let isForBytes = if case .word = rule.match { true } else { false }
        guard isForBytes == (traffic == .bytes) else {
          throw .usage(
            "the rule \(rule.description.quotedForTerminal) is for \(isForBytes ? "bytes" : "HTTP")",
            hint: isForBytes ? "add --bytes" : "omit --bytes, or match a word in quotation marks")
        }
      }
    }

    private static func server(_ text: String) throws(CommandFailure) -> SocketAddress {
      let scheme = "http://"
      guard !text.hasPrefix("https://") else {
        throw .usage(
          "the traffic to \(text.quotedForTerminal) is encrypted",
          hint: "write HOST:443 with --bytes, for faults of the connection")
      }
      let isURL = text.hasPrefix(scheme)
      var place = isURL ? String(text.dropFirst(scheme.count)) : text
      if place.hasSuffix("/") { place.removeLast() }
      if isURL, !(place.split(separator: "]").last ?? "").contains(":") { place += ":80" }
      return try mapError(SocketAddress(place)) { (_: FaultProxyError) in
        CommandFailure.usage(
          "the server cannot be \(text.quotedForTerminal)", hint: "write it as 127.0.0.1:8080 or http://127.0.0.1:8080")
      }
    }

    private static func rules(_ arguments: ParsedArguments) throws(CommandFailure) -> [FaultRule] {
      var rules: [FaultRule] = []
      if let path = arguments[ruleFile] {
        let text = try InputFile.bytes(path, limit: FaultRule.maximumFileByteCount)
        rules = try mapError(FaultRule.rules(inFile: text[...])) { (error: FaultProxyError) in
          CommandFailure.inputOutput(
            "\(InputFile.name(path)): \(error.detail.escapedForTerminal)",
            hint: "Lab/Documentation/Proxy.md describes rules"
          ).coded(error.code.rawValue)
        }
      }
      for text in arguments[rule] {
        do throws(FaultProxyError) {
          rules.append(try FaultRule(text))
        } catch {
          throw .usage(
            "--rule cannot be \(text.quotedForTerminal): \(error.detail.escapedForTerminal)",
            hint: "write a rule as 'POST /login/verify: cut-reply'")
        }
      }
      return rules
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    // Before any other thread starts: every thread has to block these signals.
    let signals = StopSignals()
    signal(SIGPIPE, SIG_IGN)
    let asJSON = options.asJSON
    let log = Locked(())
    do throws(FaultProxyError) {
      let proxy = try ProxyServer(
        to: options.server, at: options.address, options.traffic, rules: options.rules,
        allowingClientsOfOtherMachines: options.allowsOtherMachines
      ) { (event) in
        // Lines of two connections must not mix. A closed log does not stop the proxy.
        log.withLock { (_) in try? Output.write(line(of: event, asJSON)) }
      }
      try log.withLock { (_) throws(FaultProxyError) in
        try proxy.open()
        try? Output.write(greeting(of: proxy, options))
      }
      if !proxy.isLoopback {
        Diagnostics.passkey.note(
          options.traffic == .http
            ? "other machines can reach this proxy; their requests get X-Forwarded-For"
            : "other machines can reach this proxy; the server takes them for this machine")
      }
      signals.wait()
      proxy.close()
    } catch {
      guard error.code != .notLoopback else {
        throw .usage(
          "other machines can reach \(options.address.description.quotedForTerminal)",
          hint: "listen at 127.0.0.1, or add --allow-clients-of-other-machines: the server takes them for this machine"
        ).coded(error.code.rawValue)
      }
      throw .inputOutput(
        "cannot listen at \(options.address.description.quotedForTerminal): \(error.detail.escapedForTerminal)",
        hint: "select a free port of this machine with --listen"
      ).coded(error.code.rawValue)
    }
  }

  private static func greeting(of proxy: ProxyServer, _ options: Options) -> String {
    guard options.asJSON else {
      return "forwarding \(proxy.address) to \("\(options.server)".escapedForTerminal)\n"
    }
    let object = JSON.writeObject { (object) in
      object.write("address", .string("\(proxy.address)"))
      object.write("server", .string("\(options.server)"))
    }
    return String(decoding: object, as: UTF8.self) + "\n"
  }

  private static func line(of event: ProxyEvent, _ asJSON: Bool) -> String {
    guard asJSON else { return event.description.escapedForTerminal + "\n" }
    return String(decoding: JSON.writeObject { (object) in event.write(into: &object) }, as: UTF8.self) + "\n"
  }
}
