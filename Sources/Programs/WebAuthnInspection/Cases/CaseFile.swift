// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A file of recorded ceremonies in the format `webauthn-vectors/1`.
package enum CaseFile {
  /// The name of the format: the member `schema` of every file.
  package static let schema = "webauthn-vectors/1"

  // 64 MiB  [a case takes some kilobytes]
  /// The size of the largest file that ``cases(in:)`` reads.
  package static let maximumByteCount = 64 << 20

  /// Reads the cases of a file.
  ///
  /// - Parameter text: The file, in UTF-8.
  /// - Returns: The cases in the order of the file.
  /// - Throws: ``CaseFileError`` where the file is not of this format.
  package static func cases(in text: some ByteSource) throws(CaseFileError) -> [VerificationCase] {
    let missing: String
    do throws(WireError) {
      let file = try JSON.parse(JSON.withoutByteOrderMark(text), maximumSize: maximumByteCount)
      if let schema = try file["schema"] {
        guard try schema.string == Self.schema else { throw WireError(.jsonWrongType, at: schema.offset) }
        if let cases = try file["cases"] {
          return try cases.elements { (value) throws(WireError) in try VerificationCase(value) }
        }
        missing = "cases"
      } else {
        missing = "schema"
      }
    } catch {
      throw .malformed(error)
    }
    throw .missingMember(missing)
  }

  /// Returns the text of a file with these cases, indented.
  package static func text(source: String, _ cases: [JSONDraft]) -> [UInt8] {
    let bytes = JSON.writeObject(.pretty) { (object) in
      object.write("schema", .string(schema))
      object.write("source", .string(source))
      object.write("license", "Apache-2.0")
      object.writeArray("cases") { (array) in for made in cases { made.write(into: &array) } }
    }
    return bytes + [UInt8(ascii: "\n")]
  }
}

/// The reason why a file of cases cannot be read.
package enum CaseFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file is not JSON, or a member has an invalid value.
  case malformed(WireError)

  /// The file lacks a member that every file of cases has.
  case missingMember(String)

  /// The reason on one line.
  package var description: String {
    switch self {
    case .malformed(let error): "\(error)"
    case .missingMember(let name): "the member \(name) is missing"
    }
  }
}
