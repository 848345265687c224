// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// A confirmation that `passkey step-up` printed. It is read from a file, because anyone who sees it on a command line
/// could use it.
enum StepUpGrantFile {
  /// Returns the confirmation; nil without the option.
  static func grant(_ arguments: ParsedArguments, for demand: StepUpDemand) throws(CommandFailure) -> StepUpGrant? {
    guard let path = arguments["--grant-file"] else { return nil }
    let text = String(decoding: try InputFile.bytes(path, limit: 8192), as: UTF8.self)
    let token = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    do throws(ClientError) {
      return try StepUpGrant(exposedText: token, for: demand)
    } catch {
      throw .usage("\(path.quotedForTerminal) contains no confirmation", hint: "create one with passkey step-up")
    }
  }
}
