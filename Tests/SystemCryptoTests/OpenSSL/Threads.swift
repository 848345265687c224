// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Threads of their own, which come and go with each run: a task pool would keep its threads and never end one.
enum Threads {
  /// Runs `body` in `count` threads at once, and gives what they threw.
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

/// What several threads put together. (A lock that the thread sanitizer knows; it does not know `Mutex`.)
final class Collected<Element>: @unchecked Sendable {
  private let lock = NSLock()
  private var elements: [Element] = []

  var all: [Element] { lock.withLock { elements } }

  func add(_ element: Element) {
    lock.withLock { elements.append(element) }
  }
}
