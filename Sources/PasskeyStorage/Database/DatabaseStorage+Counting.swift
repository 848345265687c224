// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WireFormats

extension DatabaseStorage {
  /// Returns the number of sessions that have not expired at `time`.
  public func sessionCount(at time: Timestamp) async throws(StorageError) -> Int {
    let statement = SQLStatement("SELECT count(*) FROM sessions WHERE ending >= $1", [.time(time)])
    return try await database.read { (transaction) throws(StorageError) in
      Int(clamping: try transaction.row(statement)?.integer(0) ?? 0)
    }
  }
}
