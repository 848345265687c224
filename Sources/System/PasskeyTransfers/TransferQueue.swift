// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem
internal import Synchronization

/// A queue of requests, and the thread that performs them in the order in which they were queued.
package final class TransferQueue: Sendable {
  /// A queued or running request.
  private final class Job: Sendable {
    let request: @Sendable () -> TransferRequest
    let then: @Sendable (TransferOutcome) -> Void
    let isCancelled = Atomic(false)

    init(_ request: @escaping @Sendable () -> TransferRequest, then: @escaping @Sendable (TransferOutcome) -> Void) {
      self.request = request
      self.then = then
    }
  }

  private struct State {
    var waiting: [(job: Job, continuation: CheckedContinuation<TransferOutcome, Never>)] = []
    var engine: CurlEngine?
    var isRunning = false
    var isClosed = false
    /// Continuations that are resumed when the thread ends.
    var ends: [CheckedContinuation<Void, Never>] = []
  }

  private let concurrency: Int
  private let state = Locked(State())

  /// - Parameter concurrency: how many requests run at the same time. With one, a request starts when the previous one
  ///   has ended.
  package init(concurrency: Int = 1) {
    self.concurrency = concurrency
  }

  /// Queues a request and returns its outcome. Cancelling the task cancels the transfer at once.
  ///
  /// - Parameters:
  ///   - request: returns the request. Called on the queue's thread when the transfer starts.
  ///   - then: receives the outcome. Called on the queue's thread before the next request is made.
  /// - Returns: The outcome.
  package func perform(
    _ request: @escaping @Sendable () -> TransferRequest,
    then: @escaping @Sendable (TransferOutcome) -> Void = { (_) in }
  ) async -> TransferOutcome {
    let job = Job(request, then: then)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation) in add(job, continuation) }
    } onCancel: {
      cancel(job)
    }
  }

  /// Stops the thread after the queued requests.
  package func close() {
    let engine = state.withLock { (state) in
      state.isClosed = true
      return state.engine
    }
    engine?.wake()
  }

  /// Stops the thread and waits until it has ended.
  package func end() async {
    close()
    await withCheckedContinuation { (continuation) in
      let isOver = state.withLock { (state) in
        if state.isRunning { state.ends.append(continuation) }
        return !state.isRunning
      }
      if isOver { continuation.resume() }
    }
  }

  private func add(_ job: Job, _ continuation: CheckedContinuation<TransferOutcome, Never>) {
    let engine: CurlEngine?
    do throws(TransferFault) {
      engine = try state.withLock { (state) throws(TransferFault) in
        if job.isCancelled.load(ordering: .acquiring) { throw TransferFault(.cancelled) }
        if state.isClosed { throw TransferFault(.closed) }
        if state.engine == nil {
          state.engine = try start()
          state.isRunning = true
        }
        state.waiting.append((job, continuation))
        return state.engine
      }
    } catch {
      continuation.resume(returning: TransferOutcome(.failure(error)))
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
    continuation?.resume(returning: TransferOutcome(.failure(TransferFault(.cancelled))))
    engine?.wake()
  }

  private func start() throws(TransferFault) -> CurlEngine {
    guard let engine = CurlEngine() else { throw TransferFault(.libraryUnusable) }
    guard SystemThread.start({ [self] in work(with: engine) }) else { throw TransferFault(.noThread) }
    return engine
  }

  /// Runs the thread until the queue is closed.
  private func work(with engine: CurlEngine) {
    while true {
      while engine.count < concurrency,
        let (job, continuation) = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() })
      {
        let transfer = Transfer(job.request(), isCancelled: { job.isCancelled.load(ordering: .acquiring) })
        engine.start(transfer) { (outcome) in
          job.then(outcome)
          continuation.resume(returning: outcome)
        }
      }
      if engine.count > 0 {
        engine.advance()
      } else {
        let (isIdle, isClosed) = state.withLock { ($0.waiting.isEmpty, $0.isClosed) }
        if isIdle && isClosed { return reportEnd() }
        if isIdle { engine.sleep() }
      }
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
}
