// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
package import WebAuthnInspection

/// The cases in files of the format webauthn-vectors/1.
package enum RecordedCases {
  package static let none = CommandFailure.verificationFailed(
    "no matching case", hint: "list the case ids with passkey verify --json FILE")

  /// Reads the cases of all files that can be read. Reports every failure but the last, which the caller throws after the
  /// other cases have been judged.
  package static func readable(
    in files: [String], id: String?, asJSON: Bool
  ) throws(CommandFailure) -> (cases: [VerificationCase], unreadable: CommandFailure?) {
    var recorded: [VerificationCase] = []
    var unreadable: CommandFailure?
    for path in files {
      do throws(CommandFailure) {
        recorded += try cases(in: path, id: id)
      } catch {
        if let unreadable { try report(unreadable, asJSON: asJSON) }
        unreadable = error
      }
    }
    return (recorded, unreadable)
  }

  /// Reports a file that cannot be read, as the program reports the failure that ends it.
  static func report(_ failure: CommandFailure, asJSON: Bool) throws(CommandFailure) {
    if asJSON { try Output.write(failure.json) }
    Diagnostics.passkey.report(failure)
  }

  /// Reads the cases of a file: all of them, or the one with this id.
  private static func cases(in path: String, id: String?) throws(CommandFailure) -> [VerificationCase] {
    let text = try InputFile.bytes(path, limit: CaseFile.maximumByteCount)
    return try mapError(CaseFile.cases(in: text).filter { id ?? $0.id == $0.id }) { (error: CaseFileError) in
      CommandFailure.verificationFailed(
        "\(path.quotedForTerminal): \(error)",
        hint: """
          a file of cases has the schema \(CaseFile.schema.quotedForTerminal); verify one response with --registration \
          or --authentication
          """)
    }
  }
}
