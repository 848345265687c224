// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How long a test waits for an event before it reports a failure.
///
/// Only a hang reaches this limit: a test must not pass or fail by the speed of the machine. A slow machine under a
/// sanitizer needs some 60 seconds for what an idle one does in one.
public enum HangGuard {
  /// The limit, in seconds.
  public static let seconds = 600

  /// Waits until `condition` holds, asking every 10 milliseconds; returns false when the limit is reached.
  ///
  /// The wait blocks the calling thread.
  public static func waits(until condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<(seconds * 100) {
      if try condition() { return true }
      usleep(10_000)
    }
    return try condition()
  }

  /// Waits until `condition` holds without holding a thread; returns false when the limit is reached.
  public static func waits(until condition: () async throws -> Bool) async rethrows -> Bool {
    for _ in 0..<(seconds * 100) {
      if try await condition() { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return try await condition()
  }
}
