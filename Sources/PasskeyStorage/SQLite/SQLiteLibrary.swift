// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The SQLite library linked at run time.
enum SQLiteLibrary {
  /// Configures the library once per process. Has no effect if SQLite is already initialized.
  static let isSetUp: Bool = {
    passkey_sqlite_count_no_memory()
    return true
  }()

  static var version: Int64 { Int64(sqlite3_libversion_number()) }
  static var versionText: String { unsafe String(cString: sqlite3_libversion()) }
}
