// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc

extension Setting {
  /// The options of commands that need everything.
  static let allOptions = [Setting.configuration.specification] + all.map(\.specification) + [OptionSpecification.help]

  /// The options of commands that look into the store.
  static let storeOptions =
    [Setting.configuration, .relyingPartyID, .database, .secret].map(\.specification)
}

extension ServerConfiguration {
  /// What a command's options, the environment and a file say.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let settings = try Settings(arguments, environment: Environment.all) { (path) throws(CommandFailure) in
      try InputFile.bytes(path)
    }
    try self.init(settings)
  }
}

/// The variables that the program was started with.
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
