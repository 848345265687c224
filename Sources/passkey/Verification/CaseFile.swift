// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WireFormats

/// A file of recorded ceremonies, in the format `webauthn-vectors/1`.
enum CaseFile {
  static let schema = "webauthn-vectors/1"

  static func cases(in text: Bytes, named path: String) throws(CommandFailure) -> [VerificationCase] {
    do throws(WireError) {
      return try cases(in: text)
    } catch {
      throw .verificationFailed(
        "\(path.quotedForTerminal): \(error)", hint: "a file of cases has the schema \(schema.quotedForTerminal)")
    }
  }

  private static func cases(in text: Bytes) throws(WireError) -> [VerificationCase] {
    let file = try JSON.parse(JSON.withoutByteOrderMark(text), maximumSize: maximumByteCount)
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
