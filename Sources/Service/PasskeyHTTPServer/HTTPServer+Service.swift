// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
public import ServiceLifecycle

extension HTTPServer: Service {
  /// Serves until the group of services shuts down gracefully or the task is cancelled. Then answers the open requests and
  /// stops, like ``stop(within:)``.
  ///
  /// The server listens since it was created.
  public func run() async throws {
    // Both ends of the wait, a graceful shutdown and a cancellation, stop the server.
    try? await gracefulShutdown()
    await stop()
  }
}
#endif
