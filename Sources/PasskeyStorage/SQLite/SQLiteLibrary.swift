// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The library that is there when the program runs.
enum SQLiteLibrary {
  static var version: Int64 { Int64(sqlite3_libversion_number()) }
  static var versionText: String { unsafe String(cString: sqlite3_libversion()) }
}
