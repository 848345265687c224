// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The library that is there when the program runs.
enum SQLiteLibrary {
  /// Set up as this process wants it, once; where somebody else has used it before, it stays as it is.
  static let isSetUp: Bool = {
    passkey_sqlite_count_no_memory()
    return true
  }()

  static var version: Int64 { Int64(sqlite3_libversion_number()) }
  static var versionText: String { unsafe String(cString: sqlite3_libversion()) }
}
