// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine

extension Setting {
  /// The options of commands that use the whole configuration.
  static let allOptions = [Setting.configuration.specification] + all.map(\.specification)

  /// The options of commands that open the store.
  static let storeOptions =
    [Setting.configuration, .relyingPartyID, .database, .secret].map(\.specification)

  /// The options of commands about accounts: the form of their names, and the destinations of notices.
  static let accountOptions =
    storeOptions + [Setting.profile, .mail, .mailEvents, .deliveries].map(\.specification)
}

/// The settings that the command line gives, in their original syntax.
struct SettingOptions: CommandArguments, Sendable {
  private let texts: [Setting: [String]]

  init(_ arguments: ParsedArguments) {
    var texts: [Setting: [String]] = [:]
    for setting in [Setting.configuration] + Setting.all where arguments.has(setting.option) {
      texts[setting] = arguments.all(setting.option)
    }
    self.texts = texts
  }

  /// Returns the values of a setting; `nil` if the command line does not give it.
  func texts(of setting: Setting) -> [String]? { texts[setting] }

  /// Adds the values from the environment and the file.
  func settings() throws(CommandFailure) -> Settings {
    try Settings(self, environment: Environment.all) { (path) throws(CommandFailure) in try InputFile.bytes(path) }
  }
}

extension ServerConfiguration {
  /// Reads the configuration from a command's options, the environment and the file.
  init(_ options: SettingOptions) throws(CommandFailure) {
    try self.init(try options.settings())
  }
}
