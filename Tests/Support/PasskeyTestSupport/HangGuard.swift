// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeySystem

/// How long a test waits for an event before it reports a failure.
///
/// Only a hang reaches this limit: a test must not pass or fail by the speed of the machine. A slow machine under a
/// sanitizer needs some 60 seconds for what an idle one does in one.
public enum HangGuard {
  /// The limit, in seconds. `PASSKEY_HANG_SECONDS` sets another one, for work on a test that hangs.
  public static let seconds: Int =
    unsafe getenv("PASSKEY_HANG_SECONDS").flatMap { unsafe Int(String(cString: $0)) } ?? 600

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

/// The system could not create a thread.
package struct NoThread: Error {
}

/// Runs blocking work on its own thread and returns its result.
package func waiting<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  guard let result = try await SystemThread.run(body) else { throw NoThread() }
  return result
}

/// Runs blocking work on its own thread.
package func onOwnThread(_ body: @escaping @Sendable () -> Void) {
  let isStarted = SystemThread.start(body)
  precondition(isStarted, "a test needs a thread")
}

/// The bytes that a stopped server has not read yet, from /proc/net/tcp.
public enum UnreadBytes {
  /// Waits until a connection to this loopback port has bytes that its server has not read. Returns false if no bytes arrive
  /// within the limit of ``HangGuard``.
  public static func wait(atPort port: String) throws -> Bool {
    guard let number = UInt16(port) else { return false }
    let hex = String(number, radix: 16, uppercase: true)
    let suffix = ":" + String(repeating: "0", count: 4 - hex.count) + hex
    return try HangGuard.waits { () throws -> Bool in
      // proc_net_tcp: local address, remote address, state (01: established), transmit and receive queue.
      let table = String(decoding: try File.bytes("/proc/net/tcp"), as: UTF8.self)
      return table.split(separator: "\n").dropFirst().contains { line in
        let fields = line.split(separator: " ")
        guard fields.count > 4, fields[1].hasSuffix(suffix), fields[3] == "01" else { return false }
        return fields[4].split(separator: ":").last?.contains { $0 != "0" } == true
      }
    }
  }
}
