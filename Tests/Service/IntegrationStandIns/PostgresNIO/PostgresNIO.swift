// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of PostgresNIO 1, as far as Documentation/Integrations/PostgresNIO.md uses them.

public import NIOCoreStandIn
public import SQLRowsStandIn

/// An array of bytes is not one of them: PostgresNIO does not encode it as `bytea`.
public protocol PostgresCodable {
  init(_ value: RowValue) throws
  var rowValue: RowValue { get }
}

public struct PostgresDecodingError: Error {
  let value: RowValue
}

extension ByteBuffer: PostgresCodable {
  public init(_ value: RowValue) throws {
    guard case .bytes(let bytes) = value else { throw PostgresDecodingError(value: value) }
    self.init(bytes: bytes)
  }

  public var rowValue: RowValue { .bytes([UInt8](readableBytesView)) }
}

extension String: PostgresCodable {
  public init(_ value: RowValue) throws {
    guard case .text(let text) = value else { throw PostgresDecodingError(value: value) }
    self = text
  }

  public var rowValue: RowValue { .text(self) }
}

extension Int64: PostgresCodable {
  public init(_ value: RowValue) throws {
    guard case .integer(let integer) = value else { throw PostgresDecodingError(value: value) }
    self = integer
  }

  public var rowValue: RowValue { .integer(self) }
}

public struct PostgresQuery: ExpressibleByStringInterpolation, Sendable {
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var values: [RowValue] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(_ value: some PostgresCodable) {
      values.append(value.rowValue)
      text += "$\(values.count)"
    }
  }

  fileprivate let text: String
  fileprivate let values: [RowValue]

  public init(stringLiteral value: String) {
    (text, values) = (value, [])
  }

  public init(stringInterpolation: StringInterpolation) {
    (text, values) = (stringInterpolation.text, stringInterpolation.values)
  }
}

public struct PostgresRow: Sendable {
  fileprivate let values: [RowValue]

  public func decode<Column: PostgresCodable>(_: Column.Type) throws -> Column { try Column(value(0)) }

  public func decode<each Column: PostgresCodable>(_: (repeat each Column).Type) throws -> (repeat each Column) {
    var index = 0
    func next<Value: PostgresCodable>(_: Value.Type) throws -> Value {
      defer { index += 1 }
      return try Value(value(index))
    }
    return (repeat try next((each Column).self))
  }

  private func value(_ index: Int) -> RowValue { index < values.count ? values[index] : .null }
}

public struct PostgresRowSequence: Sendable {
  fileprivate let rows: [PostgresRow]

  public func collect() async throws -> [PostgresRow] { rows }
}

public struct PostgresClient: Sendable {
  private let store = RowStore()

  public init() {}

  @discardableResult
  public func query(_ query: PostgresQuery) async throws -> PostgresRowSequence {
    // Another task may run first, as on a server.
    await Task.yield()
    return PostgresRowSequence(
      rows: try store.rows(query.text, query.values).map { (row) in PostgresRow(values: row.map(\.value)) })
  }
}
