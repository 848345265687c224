// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Room for one started context of a key, so that a key which signs often starts one once.
///
/// Whoever takes it has it alone. A second thread finds the room empty and starts a context of its own; of two that are
/// put back one is kept.
final class ContextSlot: @unchecked Sendable {  // `kept` belongs to whoever has closed the door.
  private let isClosed = Atomic(false)
  private var kept: KeyContext?

  /// The context, where one is there. Nobody else has it until it is put back.
  func take() -> KeyContext? {
    guard close() else { return nil }
    defer { isClosed.store(false, ordering: .releasing) }
    defer { kept = nil }
    return kept
  }

  /// Keeps a context for whoever signs next.
  func put(_ context: KeyContext) {
    guard close() else { return }
    defer { isClosed.store(false, ordering: .releasing) }
    kept = context
  }

  /// Whether the door was open. Nobody waits at it: a new context takes less time than a wait might.
  private func close() -> Bool {
    !isClosed.exchange(true, ordering: .acquiring)
  }
}
