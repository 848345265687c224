// SPDX-License-Identifier: Apache-2.0

/// The sizes of trees.
package enum TreeSize {
  /// The largest size that is accepted. Larger numbers do not fit into the signed integers of databases, and a proof of
  /// a larger tree could need more than 63 hashes.
  package static let maximum = UInt64(Int64.max)

  /// Checks that a tree has an entry.
  static func require(_ index: UInt64, inTreeOf size: UInt64) throws(TransparencyLogError) {
    guard size <= maximum else { throw TransparencyLogError(.tooLarge, "a tree of \(size) entries") }
    guard index < size else { throw TransparencyLogError(.outsideTree, "entry \(index) in a tree of \(size)") }
  }

  /// Checks that a tree can have grown from another one.
  static func require(_ older: UInt64, upTo newer: UInt64) throws(TransparencyLogError) {
    guard newer <= maximum else { throw TransparencyLogError(.tooLarge, "a tree of \(newer) entries") }
    guard older <= newer else { throw TransparencyLogError(.outsideTree, "size \(older) in a tree of \(newer)") }
  }
}
