// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnTypes

/// A file with the options that a server sent.
enum OptionsFile {
  /// Reads the options of a ceremony. `describe` words the error of invalid options, and `failure` makes the error of the
  /// command from a message and a hint.
  static func read<Options>(
    _ path: String, for ceremony: VerificationCase.Ceremony,
    describe: (FormatError) -> String = { "\($0)" },
    failure: (_ message: String, _ hint: String) -> CommandFailure,
    _ body: (OptionsDocument) throws(FormatError) -> Options
  ) throws(CommandFailure) -> Options {
    let text = try InputFile.bytes(path)
    let name = InputFile.name(path)
    do throws(FormatError) {
      let document = try OptionsDocument(json: text)
      if document.ceremony ?? ceremony == ceremony { return try body(document) }
    } catch {
      throw failure("\(name): \(describe(error))", hint(ceremony))
    }
    throw failure(
      "\(name) contains the options of \(ceremony.other.inWords), not of \(ceremony.inWords)", hint(ceremony))
  }

  static func hint(_ ceremony: VerificationCase.Ceremony) -> String {
    "use the JSON that the server sent to begin \(ceremony.inWords)"
  }
}

extension VerificationCase.Ceremony {
  fileprivate var other: Self { self == .registration ? .authentication : .registration }

  fileprivate var inWords: String { self == .registration ? "a registration" : "a sign-in" }
}
