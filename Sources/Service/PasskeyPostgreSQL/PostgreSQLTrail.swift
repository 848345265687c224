// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage
internal import Synchronization

/// The form of a store's audit trail, as far as the process knows it.
final class PostgreSQLTrail: Sendable {
  private let foundLog = Atomic(false)

  /// Whether the store was found to keep a log. A log never becomes a chain again, so no transaction reads this twice.
  var isLog: Bool {
    get { foundLog.load(ordering: .relaxed) }
    set { if newValue { foundLog.store(true, ordering: .relaxed) } }
  }
}
