// SPDX-License-Identifier: Apache-2.0

/// Many transfers at the same time, driven by the calling thread.
///
/// Unlike ``TransferQueue``, it starts no thread and suspends no task: a load generator on one thread spends its time on
/// requests. Transfers with ``TransferRequest/reusesConnections`` share a pool of persistent connections. New connections
/// resume TLS sessions of earlier ones.
package final class TransferLoop {
  private let engine: CurlEngine
  private let timer: CurlTimer

  /// Creates a loop without transfers. Returns nil if libcurl cannot be used or the system has no more descriptors.
  package init?() {
    guard let engine = CurlEngine(), let timer = CurlTimer() else { return nil }
    self.engine = engine
    self.timer = timer
  }

  /// The number of running transfers.
  package var count: Int { engine.count }

  /// Starts a transfer. `report` is called once, during this call or a later call of ``advance(until:)``.
  package func start(_ request: TransferRequest, report: @escaping (TransferOutcome) -> Void) {
    engine.start(Transfer(request, isCancelled: { false }), report: report)
  }

  /// Reports the transfers that are complete. Without one, first waits for network traffic, at most until a moment of
  /// the monotonic clock, in nanoseconds.
  package func advance(until moment: Int64) {
    timer.set(moment)
    engine.advance(until: timer)
  }
}
