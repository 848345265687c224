// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeySystem
internal import WebAuthnInspection
internal import PasskeyFormats

// The same cases, verified by other implementations.

extension VerifyCommand {
  static let adapterOptions = [
    OptionSpecification(
      name: "--against", value: .init(name: "NAME"), isRepeatable: true,
      help: "compare with an implementation, by the program passkey-adapter-NAME in PATH"),
    OptionSpecification(
      name: "--adapter", value: .init(name: "COMMAND"), isRepeatable: true,
      help: "compare with an implementation, by the adapter that this shell command runs"),
    OptionSpecification(
      name: "--time-limit", value: .init(name: "DURATION"),
      help: "the time that an adapter may take for a case (10s); it may take six times as long to start"),
    OptionSpecification(name: "--markdown", help: "print the comparison as a page in Markdown"),
    OptionSpecification(
      name: "--notes", value: .init(name: "FILE"), help: "explanations of disagreements, for --markdown"),
  ]

  /// The options of a comparison.
  struct ComparisonOptions {
    let adapters: [Adapter]
    let format: Format

    enum Format {
      case text
      case json
      case markdown(notes: String?)
    }

    /// Decodes the options; nil if they name no implementation.
    init?(_ arguments: ParsedArguments) throws(CommandFailure) {
      let limit = try arguments.duration("--time-limit") ?? .seconds(10)
      var adapters: [Adapter] = []
      for name in arguments.all("--against") {
        guard let adapter = Adapter(named: name, timeLimit: limit) else {
          throw .usage(
            "--against cannot be \(name.quotedForTerminal)",
            hint: "write the end of the name of a program: py_webauthn for passkey-adapter-py_webauthn")
        }
        adapters.append(adapter)
      }
      adapters += arguments.all("--adapter").map { Adapter(command: $0, timeLimit: limit) }
      guard !adapters.isEmpty else {
        if let stray = ["--time-limit", "--markdown", "--notes"].first(where: arguments.has) {
          throw .usage(
            "\(stray) needs another implementation", hint: "name one with --against or --adapter")
        }
        return nil
      }
      if let stray = VerifyCommand.liveOptions.first(where: { arguments.has($0.name) }) {
        throw .usage("\(stray.name) cannot be combined with --against", hint: "--against compares files of cases")
      }
      self.adapters = adapters
      switch (arguments.has("--markdown"), arguments.asksForJSON) {
      case (true, true): throw .usage("--markdown and --json cannot be combined", hint: "omit one of them")
      case (true, false): format = .markdown(notes: arguments["--notes"])
      case (false, let asJSON):
        guard !arguments.has("--notes") else {
          throw .usage("--notes needs --markdown", hint: "only the page has explanations")
        }
        format = asJSON ? .json : .text
      }
    }
  }

  static func compare(
    _ recorded: [VerificationCase], _ options: ComparisonOptions, isExplained: Bool
  ) throws(CommandFailure) {
    let notes =
      if case .markdown(let path?) = options.format { try ComparisonNotes(path: path) } else { ComparisonNotes() }
    let now = Clock.now
    let comparison = try Comparison(of: recorded, with: options.adapters, now: now)
    switch options.format {
    case .json: try Output.write(comparison.json)
    case .text:
      try Output.write(
        comparison.text(isExplained: isExplained, width: TerminalWidth.columns(of: .standardOutput)))
    case .markdown(let path):
      let page = ComparisonPage(comparison: comparison, notes: notes, date: now)
      try Output.write(page.text)
      if path != nil, !page.unexplained.isEmpty {
        throw .verificationFailed(
          "no note explains \(page.unexplained.joined(separator: ", ").escapedForTerminal)",
          hint: "add each to a kind in the file of --notes")
      }
    }
    let crashed = comparison.crashed.count
    guard comparison.disputed.isEmpty, crashed == 0 else {
      throw .verificationFailed(
        "the implementations disagree on \(comparison.disputed.count) of \(recorded.count) cases"
          + (crashed == 0 ? "" : ", and crash on \(crashed)"),
        hint: "--explain prints what each of them says")
    }
  }
}
