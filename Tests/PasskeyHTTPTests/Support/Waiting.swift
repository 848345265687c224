// SPDX-License-Identifier: Apache-2.0

import Dispatch

private let queue = DispatchQueue(label: "waiting", attributes: .concurrent)

/// Runs what waits on a thread of its own: the threads that tasks share are few.
func waiting<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { (continuation) in
    queue.async { continuation.resume(with: Swift.Result { try body() }) }
  }
}
