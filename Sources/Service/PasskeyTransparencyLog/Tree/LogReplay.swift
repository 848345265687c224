// SPDX-License-Identifier: Apache-2.0

/// A log that is recomputed from its first entry and compared with kept checkpoints.
///
/// A log that passes has not changed, lost or inserted an entry since the first of the checkpoints.
package struct LogReplay: Sendable {
  private var tree = GrowingTree()

  /// The checkpoints that are not reached yet, by size.
  private var awaited: ArraySlice<Checkpoint> = []

  private var origin: String?

  /// Starts before the first entry.
  ///
  /// - Parameter checkpoints: Checkpoints with verified signatures, in any order.
  /// - Throws: `tlog.origin-mismatch`, `tlog.fork` if two of one size differ, or `tlog.root-mismatch`.
  package init(_ checkpoints: [Checkpoint] = []) throws(TransparencyLogError) {
    try add(checkpoints)
  }

  /// Adds checkpoints to compare with. To replay a log with many checkpoints in bounded memory, add those of the next
  /// entries before each of its parts.
  ///
  /// - Parameter checkpoints: Checkpoints with verified signatures, in any order, none smaller than the log so far.
  /// - Throws: `tlog.origin-mismatch`, `tlog.fork` if two of one size differ, `tlog.root-mismatch`, or `tlog.rollback` for a
  ///   checkpoint that is smaller than ``size``.
  package mutating func add(_ checkpoints: [Checkpoint]) throws(TransparencyLogError) {
    let sorted = (awaited + checkpoints).sorted { $0.size < $1.size }
    for checkpoint in sorted {
      let known = origin ?? checkpoint.origin
      guard checkpoint.origin.utf8.elementsEqual(known.utf8) else {
        throw TransparencyLogError(.originMismatch, "\(checkpoint.origin) and \(known)")
      }
      origin = known
    }
    for (older, newer) in zip(sorted, sorted.dropFirst()) {
      guard older.size < newer.size || older.root == newer.root else {
        throw TransparencyLogError(.fork, "\(newer.root) and \(older.root) at size \(older.size)")
      }
    }
    guard sorted.first.map({ $0.size >= size }) ?? true else {
      throw TransparencyLogError(.rollback, "a checkpoint of size \(sorted[0].size) was added after \(size) entries")
    }
    awaited = sorted[...]
    try compare()
  }

  /// The number of entries so far.
  package var size: UInt64 { tree.size }

  /// Appends the hash of the next entry.
  ///
  /// - Throws: `tlog.root-mismatch` if a checkpoint of the new size has another root; `tlog.too-large`.
  package mutating func append(_ entry: TreeHash) throws(TransparencyLogError) {
    try tree.append(entry)
    try compare()
  }

  /// Returns the tiles that changed since the last call, to compare with the stored ones.
  package mutating func takeChangedTiles() -> [Tile] {
    tree.takeChangedTiles()
  }

  /// Ends the log.
  ///
  /// - Throws: `tlog.rollback` if a checkpoint has more entries.
  package func finish() throws(TransparencyLogError) {
    guard let last = awaited.last else { return }
    throw TransparencyLogError(.rollback, "\(size) entries, but a checkpoint of size \(last.size)")
  }

  private mutating func compare() throws(TransparencyLogError) {
    guard awaited.first?.size == tree.size else { return }
    let root = tree.root
    while let checkpoint = awaited.first, checkpoint.size == tree.size {
      guard checkpoint.root == root else {
        throw TransparencyLogError(.rootMismatch, "\(root) instead of \(checkpoint.root) at size \(size)")
      }
      awaited = awaited.dropFirst()
    }
  }
}
