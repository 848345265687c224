// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// A row to insert, as a statement or as a part of one (``SQLChanges``).
struct SQLInsertion: Sendable {
  let table: String
  let columns: String
  let values: [SQLValue]

  /// The value of the column `number`, if the table has one.
  var number: Number?

  /// The clause for a row that exists.
  var conflict = ""

  /// How rows are numbered.
  enum Number: Sendable {
    /// One more than the largest number of the rows with this value in the column.
    case next(within: String, SQLValue)
    /// One more than the largest number of all rows.
    case nextInTable
    /// The next number of a sequence of PostgreSQL.
    case drawn(from: String)
  }

  /// The statement that inserts the row.
  var statement: SQLStatement {
    var values = values
    let parameters = values.indices.map { (place) in "$\(place + 1)" }
    let items = parameters + numbers(&values)
    return SQLStatement("\(head) VALUES (\(items.joined(separator: ", "))) \(conflict)", values)
  }

  /// The query of a PostgreSQL statement that inserts the row if the source has one. Appends its values to those of the
  /// statement.
  func query(from source: String, _ values: inout [SQLValue]) -> String {
    var items = self.values.map { (value) in values.append(typed: value) }
    items += numbers(&values)
    return "\(head) SELECT \(items.joined(separator: ", "))\(source) \(conflict)"
  }

  private var head: String { "INSERT INTO \(table) (\(columns)\(number == nil ? "" : ", number"))" }

  private func numbers(_ values: inout [SQLValue]) -> [String] {
    switch number {
    case .next(let column, let value)?:
      values.append(value)
      return ["(SELECT coalesce(max(number), 0) + 1 FROM \(table) WHERE \(column) = $\(values.count))"]
    case .nextInTable?: return ["(SELECT coalesce(max(number), 0) + 1 FROM \(table))"]
    case .drawn(let sequence)?: return ["nextval('\(sequence)')"]
    case nil: return []
    }
  }
}

extension [SQLValue] {
  /// Appends a value and returns its parameter with its type, which PostgreSQL does not infer in the list of a SELECT.
  mutating func append(typed value: SQLValue) -> String {
    let type: String
    switch value {
    case .null: return "NULL"
    case .integer: type = "bigint"
    case .text: type = "text"
    case .bytes: type = "bytea"
    }
    append(value)
    return "$\(count)::\(type)"
  }
}
