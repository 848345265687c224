// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// The options that a server sent: what `parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()` takes, alone or
/// as the member `publicKey` of what `navigator.credentials` takes.
enum OptionsFile {
  static func path(_ arguments: ParsedArguments) throws(CommandFailure) -> String {
    guard let path = arguments["--options"] else {
      throw .usage("--options is missing", hint: "name the file of what the server sent before: --options options.json")
    }
    return path
  }

  static func creationOptions(
    in path: String
  ) throws(CommandFailure) -> (options: CreationOptions, mediation: RegistrationMediation) {
    try read(path) { (options, mediation) throws(FormatError) in
      (try CreationOptions(json: options), mediation == "conditional" ? .conditional : .modal)
    }
  }

  static func requestOptions(in path: String) throws(CommandFailure) -> RequestOptions {
    try read(path) { (options, _) throws(FormatError) in try RequestOptions(json: options) }
  }

  private static func read<Options>(
    _ path: String, _ body: (_ options: Bytes, _ mediation: String?) throws(FormatError) -> Options
  ) throws(CommandFailure) -> Options {
    let text = JSON.withoutByteOrderMark(try InputFile.bytes(path)[...])
    do throws(FormatError) {
      let whole: JSONValue
      let wrapped: JSONValue?
      let mediation: String?
      do throws(WireError) {
        whole = try JSON.parse(text)
        wrapped = try whole["publicKey"]?.unlessNull
        mediation = try whole["mediation"]?.unlessNull?.string
      } catch {
        throw FormatError(.optionsMalformed, error)
      }
      return try body(wrapped?.encoded ?? text, mediation)
    } catch {
      let name = path == "-" ? "standard input" : path.quotedForTerminal
      throw .verificationFailed("\(name): \(error)", hint: "these are no options of the ceremony")
    }
  }
}
