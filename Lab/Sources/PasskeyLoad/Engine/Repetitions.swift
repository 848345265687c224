// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles

/// Completed ceremonies, some of which are sent again later. Every server must refuse a repetition, also after a failure of
/// another one.
struct Repetitions {
  /// The request that completed a ceremony.
  struct Completion {
    let endpoint: EndpointName
    let values: ShapeValues
    let caller: LoadClient.Caller
  }

  private var recent: [Completion] = []
  private var completionCount = 0

  /// The repetitions that had a reply, and those that the server accepted.
  var repliedCount = 0
  var acceptedCount = 0

  // 64 [at ten ceremonies a second, these are about as old as the takeover by another database takes]
  private static let capacity = 64
  // One of four [enough to find a fault, without doubling the load]
  private static let interval = 4

  /// Remembers a completion, and returns an earlier one if it is time to repeat one.
  mutating func next(after completion: Completion) -> Completion? {
    defer { completionCount += 1 }
    let place = completionCount % Self.capacity
    if recent.indices.contains(place) { recent[place] = completion } else { recent.append(completion) }
    guard completionCount.isMultiple(of: Self.interval) else { return nil }
    // 29 has no divisor in common with the capacity, so the ages of the repeated completions vary.
    return recent[completionCount / Self.interval * 29 % recent.count]
  }
}
