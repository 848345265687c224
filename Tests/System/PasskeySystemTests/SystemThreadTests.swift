// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeySystem
import Testing

struct SystemThreadTests {
  private struct Refusal: Error, Equatable {
    let number: Int
  }

  @Test func `returns the result from another thread`() async {
    let own = pthread_self()
    let isOther = await SystemThread.run { pthread_equal(pthread_self(), own) == 0 }
    #expect(isOther == true)
  }

  @Test func `throws the typed error of the work`() async {
    await #expect(throws: Refusal(number: 7)) {
      _ = try await SystemThread.run { () throws(Refusal) -> Int in throw Refusal(number: 7) }
    }
  }

  @Test func `blocks the program's signals, except faults`() async {
    let held = await SystemThread.run { () -> [Bool] in
      var signals = sigset_t()
      unsafe pthread_sigmask(SIG_BLOCK, nil, &signals)
      return [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGSEGV, SIGABRT].map { unsafe sigismember(&signals, $0) == 1 }
    }
    #expect(held == [true, true, true, true, false, false])
  }

  @Test func `does not change the caller's signals`() {
    func signals() -> [Bool] {
      var signals = sigset_t()
      unsafe pthread_sigmask(SIG_BLOCK, nil, &signals)
      return (1...31).map { unsafe sigismember(&signals, $0) == 1 }
    }
    let before = signals()
    #expect(SystemThread.start {})
    #expect(signals() == before)
  }

  @Test func `more threads may wait than there are processors`() async {
    var ends: (Int32, Int32) = (0, 0)
    let isPair = unsafe withUnsafeMutableBytes(of: &ends) { (ends) in
      unsafe pipe(ends.assumingMemoryBound(to: Int32.self).baseAddress) == 0
    }
    #expect(isPair)
    let (reading, writing) = ends
    defer { close(reading) }
    // Each waits for a byte, and the bytes come only when all wait.
    let read = await withTaskGroup { (group) in
      for _ in 0..<100 {
        group.addTask {
          await SystemThread.run { () -> Int in
            var byte: UInt8 = 0
            return unsafe Glibc.read(reading, &byte, 1)
          }
        }
      }
      let bytes = [UInt8](repeating: 1, count: 100)
      #expect(unsafe write(writing, bytes, bytes.count) == bytes.count)
      close(writing)
      return await group.reduce(0) { $0 + ($1 ?? 0) }
    }
    #expect(read == 100)
  }
}
