// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import PasskeyTransfers

/// The thread sanitizer watches these tests for data races between the queue's thread and its callers.
struct TransferQueueTests {
  @Test func `cancelled requests end at once, whether they run or wait`() async throws {
    // Connections wait in its backlog, without an answer.
    let (listener, port) = try LoopbackSocket.listen(at: 0, backlog: 16)
    defer { listener.close() }
    let queue = TransferQueue(concurrency: 2)
    let started = Started()
    let outcomes = await withTaskGroup(of: TransferOutcome.self) { (group) in
      for _ in 0..<8 {
        group.addTask {
          await queue.perform {
            started.count.update { $0 += 1 }
            return Self.request(port)
          }
        }
      }
      _ = try? await waiting { started.count.wait { $0 >= 2 ? () : nil } }
      group.cancelAll()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.map(\.cause) == [TransferFault.Cause](repeating: .cancelled, count: 8))
    await queue.end()
  }

  @Test func `concurrent requests are all reported, and a closed queue refuses more`() async throws {
    let queue = TransferQueue(concurrency: 3)
    let causes = await withTaskGroup(of: TransferFault.Cause?.self) { (group) in
      // Port 1 refuses connections.
      for _ in 0..<20 { group.addTask { await queue.perform { Self.request(1) }.cause } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(causes == [TransferFault.Cause](repeating: .connectFailed, count: 20))
    await queue.end()
    #expect(await queue.perform { Self.request(1) }.cause == .closed)
  }

  private final class Started: Sendable { let count = Locked(0) }

  private static func request(_ port: UInt16) -> TransferRequest {
    var content = HTTPContent(method: "GET", userAgent: "test")
    content.fields = [HTTPContentField("x-name", "value")]
    return TransferRequest(
      "http://127.0.0.1:\(port)/", scheme: "http", .http(content), connectTimeout: .seconds(HangGuard.seconds),
      totalTimeout: .seconds(HangGuard.seconds), maximumBodyByteCount: 100, maximumHeaderByteCount: 100)
  }
}

extension TransferOutcome {
  /// Why there is no reply.
  fileprivate var cause: TransferFault.Cause? {
    if case .failure(let fault) = result { fault.cause } else { nil }
  }
}
