// SPDX-License-Identifier: Apache-2.0

internal import BrowserBridge
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem

/// The browsers that a command names.
struct BrowserTargets {
  /// The named browsers and profile folders; empty if the command names none.
  let named: [BrowserInstallation.Target]

  private static let browser = Option<[BrowserName]>(
    "--browser", "NAME", help: "only for this browser (every browser that is set up)")
  private static let userDataFolder = Option<[String]>(
    "--user-data-dir", "DIR",
    help: "for a browser that is started with this folder as --user-data-dir")

  static let options: [any OptionSpecification] = [browser, userDataFolder]

  init(_ arguments: ParsedArguments) {
    named =
      arguments[Self.browser].map { .browser($0) }
      + arguments[Self.userDataFolder].map { (path) in
        .profileFolder(Folder.absolutePath(path) ?? AbsolutePath.of(path))
      }
  }
}

extension BrowserName: OptionValue {}

extension BrowserInstallation {
  /// The installation of this user.
  ///
  /// Refuses root in the home of another user, as with `sudo`: the browser could not replace or remove root's files.
  static func ofUser() throws(CommandFailure) -> Self {
    if CurrentProcess.userID == 0, let home = Environment.value("HOME"),
      let owner = try? FileStatus(ofFileAt: home).owner, owner != 0
    {
      throw .usage(
        "root would set up browsers in the home of another user, \(home.quotedForTerminal)",
        hint: "run it as that user, without sudo; for a browser of root, set HOME to root's home")
    }
    let configuration: String
    if let folder = Environment.value("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      configuration = folder
    } else if let home = Environment.home {
      configuration = "\(home)/.config"
    } else {
      throw .usage("\(Environment.homeFault), so the browsers cannot be found", hint: "set HOME or XDG_CONFIG_HOME")
    }
    return Self(folder: try VaultLocation.defaultFolder + "/browser", configurationFolder: configuration)
  }
}

extension CommandFailure {
  /// Converts an error of the browser's connection or of an installation.
  init(browser error: BrowserError) {
    let text = (error.detail ?? error.code.rawValue).escapedForTerminal
    let failure: CommandFailure =
      switch error.code {
      case .notInstalled:
        .refused("nothing is installed for \(text)", hint: "passkey browser status shows what is installed")
      case .noBrowser:
        .refused("found no settings folder of a browser", hint: "name one with --browser or --user-data-dir")
      case .recordMalformed:
        .inputOutput(
          "the record of installations is malformed: \(text)", hint: "delete it, and install again")
      default: .inputOutput("\(error)".escapedForTerminal)
      }
    self = failure.coded(error.code.rawValue)
  }
}

extension JSONObjectWriter {
  /// Writes an array of strings.
  mutating func write(_ name: String, strings: [String]) {
    writeArray(name) { (list: inout JSONArrayWriter) in
      for text in strings { list.write(.string(text)) }
    }
  }
}
