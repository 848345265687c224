// SPDX-License-Identifier: Apache-2.0

internal import BrowserBridge
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeyTesting

/// `passkey browser install`
enum BrowserInstallCommand: Command {
  private static let packed = Option(
    "--packed", help: "also pack the extension, so that Chromium installs it at its next start")
  private static let policyForAllUsers = Option(
    "--policy-for-all-users",
    help: "with --packed, also write a policy for Chrome, Brave and Edge, which apply it to every user of the machine")
  private static let extensionID = Option<[String]>(
    "--extension-id", "ID",
    help: "also allow an extension that you packed with a key of your own")

  static let specification = CommandSpecification(
    name: "browser install",
    summary: "set up the extension and its native-messaging host",
    arguments: "[OPTION…]",
    discussion: [
      """
      Writes the unpacked extension to passkey/browser/extension in $XDG_DATA_HOME or ~/.local/share, and the \
      native-messaging host into the settings folders of the browsers. Load the extension once: open \
      chrome://extensions, turn on the developer mode, choose Load unpacked, and select the folder. Chromium also takes \
      --load-extension=FOLDER.
      """,
      """
      The other options are those of passkey browser host; --kind is passkey-provider by default. Install again to \
      change them. Options of an earlier installation are not kept.
      """,
      """
      --packed also writes passkey/browser/passkey.crx, signed with a key that the first such run creates. The \
      identifier of the packed extension follows from the key. Chrome, Brave and Edge install a package only by a policy, \
      which --policy-for-all-users writes. Browsers apply a policy to all users of the machine, but the vault is yours: \
      only you can read the package, so that other users do not get it.
      """,
      "Exit codes: 0 done, 1 a file cannot be written, 2 invalid usage, 5 no browser was found.",
    ],
    positionalCount: 0...0,
    options: BrowserTargets.options + BrowserHostOptions.options + [
      packed, policyForAllUsers, extensionID, .json, .help,
    ],
    examples: [
      .init(command: "passkey browser install", meaning: "set up every browser of this user"),
      .init(
        command: "passkey browser install --user-data-dir profile --fault signature-bit-flipped --approve always",
        meaning: "set up a test profile whose sign-ins have invalid signatures"),
      .init(
        command: "passkey browser install --user-data-dir profile --memory --approve always",
        meaning: "set up a test profile that begins each run without passkeys"),
    ])

  struct Options: CommandArguments {
    fileprivate let targets: BrowserTargets
    fileprivate let words: [String]
    fileprivate let extensions: [String]
    fileprivate let fault: TestBrowser.Fault?
    fileprivate let isPacked: Bool
    fileprivate let hasPolicy: Bool
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      targets = BrowserTargets(arguments)
      // Only to report invalid options now rather than in the browser.
      fault = try BrowserHostOptions(arguments).fault
      isPacked = arguments[packed]
      hasPolicy = arguments[policyForAllUsers]
      guard isPacked || !hasPolicy else {
        throw .usage("--policy-for-all-users needs --packed", hint: "a policy installs a package")
      }
      asJSON = arguments.asksForJSON
      let added = arguments[extensionID]
      for identifier in added where !BrowserExtension.isIdentifier(identifier) {
        throw .usage(
          "--extension-id cannot be \(identifier.quotedForTerminal)",
          hint: "chrome://extensions shows the ID: 32 letters from a to p")
      }
      extensions = added
      words = BrowserHostOptions.words(arguments)
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let installation = try BrowserInstallation.ofUser()
    var targets = options.targets.named
    if targets.isEmpty { targets = installation.browsers.map { (browser) in .browser(browser) } }
    guard !targets.isEmpty else { throw CommandFailure(browser: BrowserError(.noBrowser)) }
    let (hosts, packed) = try mapError(CommandFailure.init(browser:)) { () throws(BrowserError) in
      let packed = options.isPacked ? try installation.pack(policy: options.hasPolicy) : nil
      let added = options.extensions + (packed.map { (packed) in [packed.identifier] } ?? [])
      let hosts = try installation.install(
        for: targets, program: OwnProgram.path,
        arguments: options.words + added.flatMap { (identifier) in ["--extension-id", identifier] },
        extensions: [BrowserExtension.identifier] + added, packed: packed)
      return (hosts, packed)
    }
    guard !options.asJSON else {
      return try Output.writeObject { (object: inout JSONObjectWriter) in
        object.write("extension", installation.extensionFolder)
        object.write("extensionId", BrowserExtension.identifier)
        object.write("fault", .text(options.fault?.rawValue))
        object.write("installedFor", strings: hosts.map(\.target))
        if let packed {
          object.writeObject("packed") { (package: inout JSONObjectWriter) in
            package.write("package", packed.path)
            package.write("extensionId", packed.identifier)
            package.write("policy", .text(packed.policyPath))
          }
        }
      }
    }
    let rows =
      [["extension", installation.extensionFolder.escapedForTerminal], ["extension id", BrowserExtension.identifier]]
      + (options.fault.map { (fault) in [["fault", fault.summary]] } ?? [])
      + hosts.map { (host) in ["installed for", host.target.escapedForTerminal] }
      + (packed.map { (packed) in
        [
          ["package", packed.path.escapedForTerminal], ["package id", packed.identifier],
        ] + (packed.policyPath.map { (path) in [["policy for all users", path.escapedForTerminal]] } ?? [])
      } ?? [])
    try Output.write(TextTable(rows: rows, width: nil).text)
    Diagnostics.passkey.note(
      packed == nil
        ? "load the extension once: chrome://extensions, Developer mode, Load unpacked, and select its folder"
        : "Chromium installs the package when it starts next; other browsers need a policy")
    if packed?.policyPath != nil {
      Diagnostics.passkey.note(
        "a browser applies the policy to all users of this machine; only you can read the package that it names")
    }
  }
}
