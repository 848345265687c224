// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Synchronization

/// Runs a server during `body`. At most two servers run at a time, because these tests depend on timing and would fail
/// on a machine that runs all tests at once.
func withServer<Result>(
  _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }, handler: @escaping EndpointHandler = Echo.answer,
  _ body: (HTTPServer) async throws -> Result
) async throws -> Result {
  await places.take()
  defer { places.give() }
  var configuration = HTTPServerConfiguration()
  configure(&configuration)
  let server = try HTTPServer(configuration, handler: handler)
  do {
    let result = try await body(server)
    await server.stop(within: .seconds(20))
    return result
  } catch {
    await server.stop(within: .zero)
    throw error
  }
}

private let places = Places(2)

/// A limit on concurrent uses. Waiting tasks do not block a thread.
private final class Places: Sendable {
  private let state: Locked<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(_ count: Int) {
    state = Locked((count, []))
  }

  func take() async {
    await withCheckedContinuation { (continuation) in
      let isFree = state.withLock { (state) in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func give() {
    let next = state.withLock { (state) -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// Answers with the request itself.
enum Echo {
  @Sendable static func answer(_ request: EndpointRequest) async -> EndpointResponse {
    EndpointResponse.json { (object: inout JSONObjectWriter) in
      object.write("method", request.method.rawValue)
      object.write("path", request.target.path)
      object.write("count", .integer(request.body.count))
      object.write("client", request.client.description)
      object.write("encrypted", .bool(request.isEncrypted))
    }
  }
}

/// A counter for several threads.
final class Tally: Sendable {
  private let number = Atomic(0)
  func add() { number.wrappingAdd(1, ordering: .relaxed) }
  var value: Int { number.load(ordering: .relaxed) }
}

/// Suspends tasks until it is opened.
final class Gate: Sendable {
  private let state = Locked<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func pass() async {
    await withCheckedContinuation { (continuation) in
      let isOpen = state.withLock { (state) in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { (state) in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  var count: Int { state.withLock { $0.waiting.count } }
}

/// Waits until a condition holds; returns false when it does not within the limit of ``HangGuard``.
func eventually(_ condition: () -> Bool) async -> Bool {
  await HangGuard.waits { () async -> Bool in condition() }
}

/// A list of texts for several threads.
final class Paths: Sendable {
  private let paths = Locked<[String]>([])
  func add(_ path: String) { paths.withLock { $0.append(path) } }
  var all: [String] { paths.withLock { $0 } }
}
