// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Threads that start and end with each run. A task pool would keep its threads alive.
enum Threads {
  /// Runs `body` on `count` threads and returns the errors they throw.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
    let failures = Collected<String>()
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

/// A collection shared by threads. Uses a lock that the thread sanitizer recognizes, unlike `Mutex`.
final class Collected<Element>: @unchecked Sendable {
  private let lock = NSLock()
  private var elements: [Element] = []

  var all: [Element] { lock.withLock { elements } }

  func add(_ element: Element) {
    lock.withLock { elements.append(element) }
  }
}
