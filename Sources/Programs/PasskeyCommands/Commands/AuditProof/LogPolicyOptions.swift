// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyTransparencyLog

/// The options that say which logs and witnesses a command trusts.
enum LogPolicyOptions {
  private static let verifierKey = Option("--key", "VKEY", help: "the verifier key of the log, instead of a policy")
  private static let policyFile = Option("--policy", "FILE", help: "the accepted logs and the required witnesses")

  static let options: [any OptionSpecification] = [verifierKey, policyFile]

  /// Returns the policy of a command's options.
  static func policy(_ arguments: ParsedArguments, of command: String) throws(CommandFailure) -> LogPolicy {
    switch (arguments[verifierKey], arguments[policyFile]) {
    case (let text?, nil): return LogPolicy(logs: [try key(text)])
    case (nil, let path?): return try policy(in: path)
    case (_?, _?): throw .usage("--key and --policy cannot be combined", hint: "omit one of the two")
    case (nil, nil):
      throw .usage("\(command) needs one of --key and --policy", hint: "ask the operator of the log for its key")
    }
  }

  private static func key(_ text: String) throws(CommandFailure) -> NoteKey {
    try mapError(NoteKey(text)) { (error: TransparencyLogError) in
      CommandFailure.usage(
        "--key cannot be \(text.quotedForTerminal): \(error.detail.escapedForTerminal)",
        hint: "a verifier key has the form NAME+ID+BASE64"
      ).coded(error.code.rawValue)
    }
  }

  private static func policy(in path: String) throws(CommandFailure) -> LogPolicy {
    let file = try InputFile.bytes(path, limit: LogPolicy.maximumByteCount)
    return try mapError(LogPolicy(parsing: file)) { (error: TransparencyLogError) in
      CommandFailure.inputOutput("\(InputFile.name(path)) is not a policy: \(error.detail.escapedForTerminal)")
        .coded(error.code.rawValue)
    }
  }
}
