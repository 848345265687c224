// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc

extension Setting {
  /// The options of commands that use the whole configuration.
  static let allOptions = [Setting.configuration.specification] + all.map(\.specification) + [OptionSpecification.help]

  /// The options of commands that open the store.
  static let storeOptions =
    [Setting.configuration, .relyingPartyID, .database, .secret].map(\.specification)
}

extension ServerConfiguration {
  /// Reads the configuration from a command's options, the environment and the file.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let settings = try Settings(arguments, environment: Environment.all) { (path) throws(CommandFailure) in
      try InputFile.bytes(path)
    }
    try self.init(settings)
  }
}

/// The environment variables of the process.
enum Environment {
  static var all: [String: String] {
    var variables: [String: String] = [:]
    var position = unsafe environ
    while let entry = unsafe position.pointee {
      let parts = unsafe String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      unsafe position = position.advanced(by: 1)
    }
    return variables
  }
}
