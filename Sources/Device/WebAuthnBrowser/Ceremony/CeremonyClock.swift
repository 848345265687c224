// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

/// Enforces a ceremony's time-out: when it expires, or the caller's task is cancelled, sends cancel commands until the
/// authenticator answers.
struct CeremonyClock: Sendable {
  let limit: Duration
  let authenticator: any Authenticator

  /// The interval between cancel commands. A cancel command that arrives between two commands has no effect, so it is
  /// repeated.
  private static let cancellationInterval = Duration.milliseconds(50)

  /// The time a cancelled authenticator has to answer before the ceremony ends without it.
  private static let patience = Duration.seconds(3)

  private enum Event<Value: Sendable>: Sendable {
    case finished(Result<Value, ClientError>)
    case stopped(ClientError)
    case abandoned
  }

  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(ClientError) -> Value
  ) async throws(ClientError) -> Value {
    guard !Task.isCancelled else { throw ClientError(.aborted) }
    let (events, source) = AsyncStream.makeStream(of: Event<Value>.self)
    let working = Task {
      do throws(ClientError) {
        source.yield(.finished(.success(try await work())))
      } catch {
        source.yield(.finished(.failure(error)))
      }
    }
    let timing = Task {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      source.yield(.stopped(ClientError(.timedOut, "after \(limit.components.seconds) s")))
    }
    // A separate task is required: the caller's task stops receiving events as soon as it is cancelled.
    let watching = Task { await watch(events, working, source) }
    let result = await withTaskCancellationHandler {
      await watching.value
    } onCancel: {
      source.yield(.stopped(ClientError(.aborted)))
    }
    timing.cancel()
    return try result.get()
  }

  private func watch<Value: Sendable>(
    _ events: AsyncStream<Event<Value>>, _ working: Task<Void, Never>, _ source: AsyncStream<Event<Value>>.Continuation
  ) async -> Result<Value, ClientError> {
    var reason: ClientError?
    var cancelling: [Task<Void, Never>] = []
    defer { cancelling.forEach { (task) in task.cancel() } }
    for await event in events {
      switch event {
      // A caller that aborted does not receive the result.
      case .finished(.success(let value)):
        if let reason, reason.code == .aborted { return .failure(reason) }
        return .success(value)
      case .finished(.failure(let error)):
        reason?.cause = error.cause
        return .failure(reason ?? error)
      case .abandoned: return .failure(reason ?? ClientError(.aborted))
      case .stopped(let error):
        guard reason == nil else { continue }
        reason = error
        working.cancel()
        cancelling = [
          Task { await cancelRepeatedly() },
          Task { if (try? await Task.sleep(for: Self.patience)) != nil { source.yield(.abandoned) } },
        ]
      }
    }
    return .failure(reason ?? ClientError(.aborted))
  }

  private func cancelRepeatedly() async {
    while !Task.isCancelled {
      await authenticator.cancel()
      try? await Task.sleep(for: Self.cancellationInterval)
    }
  }
}
