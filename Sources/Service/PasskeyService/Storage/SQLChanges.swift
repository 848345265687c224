// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// Changes of several tables in one statement of PostgreSQL, with a common table expression for each.
///
/// A gate decides: the other changes are made only if its change returns a row.
struct SQLChanges: Sendable {
  private var queries: [String] = []
  private var values: [SQLValue] = []
  private let source: String

  init() {
    source = ""
  }

  init(gate: SQLStatement) {
    queries = ["gate AS (\(gate.text))"]
    values = gate.values
    source = " FROM gate"
  }

  /// The statement. With a gate, it returns the number of rows of the gate.
  var statement: SQLStatement {
    SQLStatement("WITH \(queries.joined(separator: ", ")) SELECT count(*)\(source)", values)
  }

  mutating func insert(_ insertion: SQLInsertion) {
    add(insertion.query(from: source, &values))
  }

  /// Changes the row of a table with this value in a column, if the gate has a row.
  mutating func update(
    _ table: String, _ changes: [(column: String, value: SQLValue)], where key: (column: String, value: SQLValue)
  ) {
    let assignments = changes.map { (change) in "\(change.column) = \(values.append(typed: change.value))" }
    add(
      """
      UPDATE \(table) SET \(assignments.joined(separator: ", "))
      WHERE \(key.column) = \(values.append(typed: key.value)) AND EXISTS (SELECT 1 FROM gate)
      """)
  }

  /// Deletes the rows of a table for the row of the gate, whose parameters the condition uses.
  mutating func delete(from table: String, where condition: String) {
    add("DELETE FROM \(table) WHERE \(condition) AND EXISTS (SELECT 1 FROM gate)")
  }

  /// Appends the drafts to the log and writes their notices.
  mutating func record(_ drafts: [AuditDraft]) {
    for draft in drafts {
      let entry = draft.logged()
      insert(entry)
      for notice in draft.notices.isEmpty ? [] : draft.routedNotices(of: entry.record) {
        for insertion in notice.insertions(SQLDialect.postgreSQL.outboxNumber) { insert(insertion) }
      }
    }
  }

  /// Inserts a record with a drawn number and its details, and queues it for its position.
  mutating func insert(_ entry: AuditEntry) {
    let keys = entry.record.indexKeys
    let items = [.bytes(entry.record.encoded[...]), .opaque(keys.person), .opaque(keys.other)]
      .map { (value: SQLValue) in values.append(typed: value) }
    let recorded = add(
      """
      INSERT INTO audit (sequence, record, person, other)
      SELECT nextval('audit_sequence'), \(items.joined(separator: ", "))\(source) RETURNING sequence
      """)
    add("INSERT INTO audit_queue (sequence) SELECT sequence FROM \(recorded)")
    for (place, detail) in entry.personalDetails.enumerated() {
      let items = ([.time(entry.record.time)] + detail.columns(of: entry.record))
        .map { (value) in values.append(typed: value) }
      add(
        """
        INSERT INTO personal_details (sequence, place, recorded, name, person, salt, content, apart)
        SELECT sequence, \(place), \(items.joined(separator: ", ")) FROM \(recorded)
        """)
    }
  }

  /// Adds a query and returns its name.
  @discardableResult
  private mutating func add(_ query: String) -> String {
    let name = "change\(queries.count)"
    queries.append("\(name) AS (\(query))")
    return name
  }
}
