// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemCrypto
internal import SystemIO

/// A queue of requests, and the thread that performs them.
final class TransferQueue: Sendable {
  /// A queued or running request.
  private final class Job: Sendable {
    let request: ServerRequest
    let isCancelled = Atomic(false)

    init(_ request: ServerRequest) {
      self.request = request
    }
  }

  private struct State {
    var waiting: [(job: Job, continuation: CheckedContinuation<Exchange, Never>)] = []
    var engine: CurlEngine?
    var isRunning = false
    var isClosed = false
    /// Continuations that wait for the end of the thread.
    var ends: [CheckedContinuation<Void, Never>] = []
  }

  private let server: ServerAddress
  private let settings: HTTPSettings
  private let state = Locked(State())

  init(server: ServerAddress, settings: HTTPSettings) {
    self.server = server
    self.settings = settings
  }

  /// Queues a request and returns its result.
  func perform(_ request: ServerRequest) async -> Exchange {
    let job = Job(request)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation) in add(job, continuation) }
    } onCancel: {
      cancel(job)
    }
  }

  /// Stops the thread after the queued requests.
  func close() {
    let engine = state.withLock { (state) in
      state.isClosed = true
      return state.engine
    }
    engine?.wake()
  }

  /// Stops the thread and waits until it has ended.
  func end() async {
    close()
    await withCheckedContinuation { (continuation) in
      let isOver = state.withLock { (state) in
        if state.isRunning { state.ends.append(continuation) }
        return !state.isRunning
      }
      if isOver { continuation.resume() }
    }
  }

  private func add(_ job: Job, _ continuation: CheckedContinuation<Exchange, Never>) {
    let engine: CurlEngine?
    do throws(ClientError) {
      engine = try state.withLock { (state) throws(ClientError) in
        if job.isCancelled.load(ordering: .acquiring) { throw Self.cancelledInTime(job) }
        if state.isClosed { throw job.request.failure(.cancelled, "the session was closed before \(job.request)") }
        if state.engine == nil {
          state.engine = try start(for: job)
          state.isRunning = true
        }
        state.waiting.append((job, continuation))
        return state.engine
      }
    } catch {
      continuation.resume(returning: Exchange(.failure(error)))
      return
    }
    engine?.wake()
  }

  private func cancel(_ job: Job) {
    job.isCancelled.store(true, ordering: .releasing)
    let (engine, continuation) = state.withLock { (state) in
      let place = state.waiting.firstIndex { $0.job === job }
      return (state.engine, place.map { state.waiting.remove(at: $0).continuation })
    }
    continuation?.resume(returning: Exchange(.failure(Self.cancelledInTime(job))))
    engine?.wake()
  }

  private func start(for job: Job) throws(ClientError) -> CurlEngine {
    guard let engine = CurlEngine() else { throw job.request.failure(.systemFailed, "libcurl cannot be used") }
    guard SystemThread.start({ [self] in work(with: engine) }) else {
      throw job.request.failure(.systemFailed, "the system has no thread left")
    }
    return engine
  }

  /// Runs the thread until the queue is closed.
  private func work(with engine: CurlEngine) {
    while true {
      let (next, isClosed) = state.withLock { (state) in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isClosed)
      }
      guard let (job, continuation) = next else {
        if isClosed { return reportEnd() }
        engine.sleep()
        continue
      }
      let isCancelled = { job.isCancelled.load(ordering: .acquiring) }
      let transfer = Transfer(job.request, to: server, settings, isCancelled: isCancelled)
      continuation.resume(returning: engine.perform(transfer))
    }
  }

  private func reportEnd() {
    let ends = state.withLock { (state) in
      state.isRunning = false
      defer { state.ends = [] }
      return state.ends
    }
    for end in ends { end.resume() }
  }

  /// Returns the error of a request that was cancelled before it started.
  private static func cancelledInTime(_ job: Job) -> ClientError {
    job.request.failure(.cancelled, "\(job.request) was cancelled")
  }
}

/// The outcome of a request, and the cookies after it. The cookies are set even if the reply was rejected.
struct Exchange: Sendable {
  let outcome: Result<ServerReply, ClientError>
  /// Nil if the cookies did not change, or if they exceed the jar's limits.
  let cookies: CookieJar?

  init(_ outcome: Result<ServerReply, ClientError>, cookies: CookieJar? = nil) {
    self.outcome = outcome
    self.cookies = cookies
  }
}
