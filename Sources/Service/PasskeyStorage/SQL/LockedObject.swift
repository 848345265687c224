// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// An object that a write locks, so that no other write on any server works on it at the same time.
///
/// A write takes the locks of its objects before it changes a row, and all servers take them in one order, so these locks
/// cause no deadlock. Statements of an embedding server that record something about another account lock it later.
package struct LockedObject: Hashable, Sendable {
  /// The name of the object among all objects.
  package let name: Bytes

  /// Whether many writes lock the object.
  package var isContended: Bool { [.embeddedTables, .administrators].contains(self) }

  /// The acting administrators, one of whom must remain.
  package static let administrators = Self("administrators", [])

  /// The salts of challenges.
  package static let challengeSalts = Self("challenge salts", [])

  /// The lists from which decoys are drawn.
  package static let decoyLists = Self("decoy lists", [])

  /// The tables of the embedding server.
  package static let embeddedTables = Self("embedded tables", [])

  package init(name: Bytes) {
    self.name = name
  }

  package init(_ kind: String, _ name: some Sequence<UInt8>) {
    // Handles of accounts and the names of other kinds do not begin like this.
    self.name = ("\(kind)\0".utf8 + Array(name))[...]
  }
}
