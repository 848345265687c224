// SPDX-License-Identifier: Apache-2.0

internal import TransparencyLog
public import WireFormats

// The log for monitors: its checkpoints and tiles as C2SP tlog-tiles describes them, without entries.

extension AuthService {
  /// Returns the checkpoint to show to monitors: the newest one that a witness cosigned, or the newest one if none of the
  /// last minute has a cosignature. Returns nil while the trail is a chain.
  ///
  /// - Throws: A storage code.
  public func auditCheckpoint() async throws(ServiceError) -> StoredCheckpoint? {
    try await readAuditLog { (log) throws(ServiceError) in
      guard let epoch = try stored(log.logs()).last,
        let newest = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false))
      else { return nil }
      let cosigned = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: true))
      guard let cosigned, newest.signed <= cosigned.signed + Self.cosigningDelay else { return newest }
      return cosigned
    }
  }

  /// Returns the hashes of a tile of the newest log.
  ///
  /// - Parameter path: The path of the tile below the prefix of the log, such as `tile/0/x001/234.p/5`.
  /// - Returns: The hashes, one after another; nil for a malformed path, and for a tile or a width that the log does not have.
  /// - Throws: A storage code.
  public func auditTile(at path: String) async throws(ServiceError) -> Bytes? {
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
