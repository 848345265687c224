// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

extension MemoryStorage {
  /// Deletes expired entries, at most `limit` of each kind, and returns their number.
  public func sweep(_ bounds: SweepBounds, limit: Int) throws(StorageError) -> Int {
    var count = ceremonies.remove(atMost: limit) { $0.expiry < bounds.time }
    for grant in grants.values.filter({ $0.expiry < bounds.time }).prefix(limit) {
      grants[grant.digest] = nil
      count += 1
    }
    for code in codes.values.filter({ $0.expiry < bounds.time }).prefix(limit) {
      codes[code.digest] = nil
      count += 1
    }
    for token in sessions.refreshTokens.values.filter({ $0.expiry < bounds.time }).prefix(limit) {
      sessions.remove(token)
      count += 1
    }
    let ended = sessions.all.filter(bounds.covers).prefix(limit).map(\.id)
    end(ended)
    count += ended.count
    if let time = bounds.personalDetailsBefore { count += trail.forget(before: time, limit: limit) }
    return count
  }
}
