// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyTransparencyLog

// The log for monitors: its checkpoints and tiles as C2SP tlog-tiles describes them, without entries.

extension AuthService {
  /// Returns the checkpoint to show to monitors: the newest one that a witness cosigned. Returns the newest one of all if
  /// no checkpoint is cosigned, or if the first one after the cosigned one has waited for a minute. Returns nil if the store
  /// has no log.
  ///
  /// - Throws: A storage code.
  package func auditCheckpoint(at now: UnixTime) async throws(ServiceError) -> StoredCheckpoint? {
    try await readAuditLog { (log) throws(ServiceError) in
      guard let epoch = try stored(log.logs()).last,
        let newest = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false))
      else { return nil }
      guard let cosigned = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: true)) else { return newest }
      let next = try stored(log.checkpoints(of: epoch.epoch, from: cosigned.size + 1, limit: 1)).first
      guard let next, next.signed + Self.cosigningDelay <= now else { return cosigned }
      return newest
    }
  }

  /// Returns the hashes of a tile of the newest log.
  ///
  /// - Parameter path: The path of the tile below the prefix of the log, such as `tile/0/x001/234.p/5`.
  /// - Returns: The hashes, one after another; nil for a malformed path, and for a tile or a width that the log does not have.
  /// - Throws: A storage code.
  package func auditTile(at path: String) async throws(ServiceError) -> Bytes? {
    // Entries are not public.
    guard let address = try? TileAddress(path: path), !address.holdsEntries else { return nil }
    return try await readAuditLog { (log) throws(ServiceError) in
      guard let epoch = try stored(log.logs()).last,
        let tile = try stored(log.tiles([address.position], of: epoch.epoch)).first, tile.width >= address.width
      else { return nil }
      // A tile only grows, so each partial tile is a prefix.
      return tile.bytes.prefix(address.width * TreeHash.byteCount)
    }
  }

  // 60 s [witnesses get a checkpoint every 10 seconds]
  private static var cosigningDelay: Duration { .seconds(60) }
}
