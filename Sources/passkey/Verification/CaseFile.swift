// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WireFormats

/// A file of recorded ceremonies, in the format `webauthn-vectors/1`.
enum CaseFile {
  static let schema = "webauthn-vectors/1"

  static func cases(in text: Bytes, named path: String) throws(CommandFailure) -> [VerificationCase] {
    var missing = "schema"
    do throws(WireError) {
      let file = try JSON.parse(JSON.withoutByteOrderMark(text), maximumSize: maximumByteCount)
      if try file["schema"] != nil {
        guard try file["cases"] == nil else { return try cases(in: file) }
        missing = "cases"
      }
    } catch {
      throw .verificationFailed("\(path.quotedForTerminal): \(error)", hint: hint)
    }
    throw .verificationFailed("\(path.quotedForTerminal): the member \(missing) is missing", hint: hint)
  }

  private static let hint = """
    a file of cases has the schema \(schema.quotedForTerminal); one response is judged with --registration or \
    --authentication
    """

  private static func cases(in file: JSONValue) throws(WireError) -> [VerificationCase] {
    let schema = try file.require("schema")
    guard try schema.string == Self.schema else { throw WireError(.jsonWrongType, at: schema.offset) }
    var cases: [VerificationCase] = []
    for value in try file.require("cases").array { cases.append(try VerificationCase(value)) }
    return cases
  }

  /// The text of a file, laid out for people.
  static func text(source: String, _ cases: [JSONDraft]) -> [UInt8] {
    let bytes = JSON.writeObject(.pretty) { (object) in
      object.write("schema", .string(schema))
      object.write("source", .string(source))
      object.write("license", "Apache-2.0")
      object.writeArray("cases") { (array) in for made in cases { made.write(into: &array) } }
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  // 64 MiB  [a case takes some kilobytes]
  static let maximumByteCount = 64 << 20
}
