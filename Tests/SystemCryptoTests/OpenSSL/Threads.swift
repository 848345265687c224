// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Threads of their own, which come and go with each run: a task pool would keep its threads and never end one.
enum Threads {
  /// Runs `body` in `count` threads at once, and gives what they threw.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
    let failures = Failures()
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      let thread = Thread {
        do { try body(index) } catch { failures.add("\(error)") }
        group.leave()
      }
      thread.start()
    }
    group.wait()
    return failures.all
  }
}

private final class Failures: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) {
    texts.withLock { $0.append(text) }
  }
}

/// What several threads have drawn.
final class Collected: Sendable {
  private let draws = Mutex<Set<[UInt8]>>([])

  var all: Set<[UInt8]> { draws.withLock { $0 } }

  func add(_ draw: [UInt8]) {
    draws.withLock { _ = $0.insert(draw) }
  }
}
