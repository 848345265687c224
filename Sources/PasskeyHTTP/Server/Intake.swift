// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The state that the connections of one daemon share: the service, the connection count and whether the daemon is
/// retiring.
final class Intake: Sendable {
  let service: ServerService
  private let connections = Atomic(0)
  private let retiring = Atomic(false)

  init(_ service: ServerService) {
    self.service = service
  }

  func opened() { connections.wrappingAdd(1, ordering: .relaxed) }

  func closed() { connections.wrappingSubtract(1, ordering: .relaxed) }

  var isEmpty: Bool { connections.load(ordering: .relaxed) == 0 }

  /// Makes each connection close after its next response.
  func retire() { retiring.store(true, ordering: .relaxed) }

  var isRetiring: Bool { retiring.load(ordering: .relaxed) }
}
