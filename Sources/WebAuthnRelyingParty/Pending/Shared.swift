// SPDX-License-Identifier: Apache-2.0

/// A value that never changes and is handed on from one to the next: all hold the one there is, and none of its parts is
/// copied.
final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  static func == (left: Shared, right: Shared) -> Bool {
    left === right || left.value == right.value
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}
