// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine

extension Setting {
  /// The options of commands that use the whole configuration.
  static let allOptions: [any OptionSpecification] = ([configuration] + all).map(\.specification)

  /// The options of commands that open the store.
  static let storeOptions: [any OptionSpecification] =
    [configuration, relyingPartyID, database, secret].map(\.specification)

  /// The options of commands about accounts: the form of their names, and the destinations of notices.
  static let accountOptions =
    storeOptions + [profile, mail, mailEvents, deliveries].map(\.specification)
}

extension ParsedArguments {
  /// Returns the settings of the command line, the environment and the file.
  func settings() throws(CommandFailure) -> Settings {
    try Settings(self, environment: Environment.all) { (path) throws(CommandFailure) in try InputFile.bytes(path) }
  }
}

extension ServerConfiguration {
  /// Reads the configuration from a command's options, the environment and the file.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    try self.init(try arguments.settings())
  }
}
