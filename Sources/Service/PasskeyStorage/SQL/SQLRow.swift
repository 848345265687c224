// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// A result row, accessed by column index.
///
/// A value of another type than the schema's means that another program wrote the database; it is reported as corrupt.
package struct SQLRow: Hashable, Sendable {
  package let values: [SQLValue]

  package init(values: [SQLValue]) {
    self.values = values
  }

  package func bytes(_ column: Int) throws(StorageError) -> Bytes {
    guard case .bytes(let bytes)? = value(column) else { throw unexpected(column) }
    return bytes
  }

  package func text(_ column: Int) throws(StorageError) -> String {
    guard case .text(let text)? = value(column) else { throw unexpected(column) }
    return text
  }

  package func optionalText(_ column: Int) throws(StorageError) -> String? {
    isNull(column) ? nil : try text(column)
  }

  package func integer(_ column: Int) throws(StorageError) -> Int64 {
    guard case .integer(let integer)? = value(column) else { throw unexpected(column) }
    return integer
  }

  package func isNull(_ column: Int) -> Bool { value(column) == .null }

  private func value(_ column: Int) -> SQLValue? {
    values.indices.contains(column) ? values[column] : nil
  }

  package func unexpected(_ column: Int) -> StorageError {
    StorageError(.corrupt, "column \(column) of a row has an unexpected value")
  }
}

extension SQLRow {
  package func flag(_ column: Int) throws(StorageError) -> Bool {
    try integer(column) != 0
  }

  package func time(_ column: Int) throws(StorageError) -> UnixTime {
    UnixTime(secondsSince1970: try integer(column))
  }

  package func optionalTime(_ column: Int) throws(StorageError) -> UnixTime? {
    isNull(column) ? nil : try time(column)
  }

  package func utf8(_ column: Int) throws(StorageError) -> String {
    String(decoding: try bytes(column), as: UTF8.self)
  }

  package func opaque<Value: OpaqueBytes>(_ column: Int, _: Value.Type = Value.self) throws(StorageError) -> Value {
    let bytes = try bytes(column)
    return try checked(column) { try Value(bytes) }
  }

  package func optionalHandle(_ column: Int) throws(StorageError) -> UserHandle? {
    isNull(column) ? nil : try opaque(column)
  }

  package func name<Value: RawRepresentable>(
    _ column: Int, _: Value.Type = Value.self
  ) throws(StorageError) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: try text(column)) else { throw unexpected(column) }
    return value
  }

  /// Runs a decoder. Reports its failure as a corrupt column.
  package func checked<Value>(_ column: Int, _ body: () throws -> Value) throws(StorageError) -> Value {
    do {
      return try body()
    } catch {
      throw unexpected(column)
    }
  }
}
