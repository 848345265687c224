// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of FluentSQL (FluentKit 1 and SQLKit 3), as far as Documentation/Integrations/Fluent.md uses
// them.

internal import Foundation
internal import SQLRowsStandIn

public protocol Database: Sendable {
  func schema(_ name: String) -> SchemaBuilder
}

public protocol AsyncMigration: Sendable {
  func prepare(on database: any Database) async throws
  func revert(on database: any Database) async throws
}

public final class SchemaBuilder {
  public enum DataType: String {
    case string = "text"
    case data = "bytea"
    case int64 = "bigint"
  }

  public enum FieldConstraint {
    case required
    case identifier(auto: Bool)
  }

  private let name: String
  private let store: RowStore
  private var columns: [String] = []

  init(_ name: String, in store: RowStore) {
    self.name = name
    self.store = store
  }

  public func field(_ name: String, _ type: DataType, _ constraints: FieldConstraint...) -> Self {
    let words = constraints.map { (constraint) in
      if case .identifier = constraint { " PRIMARY KEY" } else { " NOT NULL" }
    }
    columns.append("\"\(name)\" \(type.rawValue)\(words.joined())")
    return self
  }

  public func create() async throws {
    _ = try store.rows("CREATE TABLE \"\(name)\" (\(columns.joined(separator: ", ")))", [])
  }

  public func delete() async throws { _ = try store.rows("DROP TABLE \"\(name)\"", []) }
}

public struct SQLQueryString: ExpressibleByStringInterpolation, Sendable {
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var values: [RowValue] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(bind value: some Encodable & Sendable) {
      switch value {
      case let data as Data: values.append(.bytes([UInt8](data)))
      case let text as String: values.append(.text(text))
      case let number as Int64: values.append(.integer(number))
      default: fatalError("a \(type(of: value)) is not bound")
      }
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

public protocol SQLRow: Sendable {
  func decode<Value: Decodable>(column: String, as: Value.Type) throws -> Value
}

struct MemoryRow: SQLRow {
  let columns: [(column: String, value: RowValue)]

  func decode<Value: Decodable>(column: String, as: Value.Type) throws -> Value {
    guard case .bytes(let bytes)? = columns.first(where: { $0.column == column })?.value,
      let value = Data(bytes) as? Value
    else { throw DecodingError.valueNotFound(Value.self, .init(codingPath: [], debugDescription: column)) }
    return value
  }
}

public protocol SQLDatabase: Sendable {
  func raw(_ statement: SQLQueryString) -> SQLRawBuilder
}

public struct SQLRawBuilder {
  let statement: SQLQueryString
  let store: RowStore

  public func run() async throws { _ = try await rows() }

  public func first<Value: Decodable>(decodingColumn column: String, as type: Value.Type) async throws -> Value? {
    try await all().first?.decode(column: column, as: type)
  }

  public func all() async throws -> [any SQLRow] { try await rows().map { MemoryRow(columns: $0) } }

  private func rows() async throws -> [[(column: String, value: RowValue)]] {
    // Another task may run first, as on a server.
    await Task.yield()
    return try store.rows(statement.text, statement.values)
  }
}

/// A database of Fluent, over SQL.
public struct MemoryDatabase: Database, SQLDatabase {
  private let store = RowStore()

  public init() {}

  public func schema(_ name: String) -> SchemaBuilder { SchemaBuilder(name, in: store) }
  public func raw(_ statement: SQLQueryString) -> SQLRawBuilder { SQLRawBuilder(statement: statement, store: store) }
}
