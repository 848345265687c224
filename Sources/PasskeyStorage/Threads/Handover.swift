// SPDX-License-Identifier: Apache-2.0

/// A value that one thread transfers to another.
final class Handover<Value: Sendable>: @unchecked Sendable {  // Taken once, by the thread that it is for.
  private var value: Value?

  init(_ value: Value) {
    self.value = value
  }

  func take() -> Value? {
    defer { value = nil }
    return value
  }
}
