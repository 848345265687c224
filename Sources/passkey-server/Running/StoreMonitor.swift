// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyHTTP
internal import PasskeyService
internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// Reports once when the database becomes unavailable and once when it is available again, however many requests fail
/// in between. It learns of failures from requests, so it adds no queries while the database works.
final class StoreMonitor: Sendable {
  private let service: AuthService
  private let file: ServedFile?
  private let healthPath: String?
  private let state = Locked(State.available)

  private enum State {
    case available
    /// The database is unavailable, or was a moment ago.
    case unavailable(failedRecently: Bool)
  }

  /// Watches a service's store, and its file for SQLite. Requests to `healthPath` are exempt.
  init(_ service: AuthService, file: ServedFile?, healthPath: String?) {
    self.service = service
    self.file = file
    self.healthPath = healthPath
  }

  /// Responds to a request with `handler`. If the database's file is gone, rejects the request: a write would be lost
  /// when the process ends, and the client would be told that it succeeded.
  func respond(to request: HTTPRequest, by handler: HTTPHandler) async -> HTTPResponse {
    if let file, !file.isInPlace, request.target.path != healthPath {
      report(Self.missing(file))
      return .problem(
        .serviceUnavailable, code: ServiceError.Code.storageUnavailable.rawValue,
        title: "The database cannot be used at present", to: request)
    }
    let response = await handler(request)
    if response.status == .serviceUnavailable, let code = response.problemCode, Self.codes.contains(code) {
      report(code)
    }
    return response
  }

  /// Records an error. Returns whether it means that the database is unavailable.
  func report(_ error: ServiceError) -> Bool {
    guard Self.codes.contains(error.innermostCode) else { return false }
    report("\(error)".escapedForTerminal)
    return true
  }

  private func report(_ reason: String) {
    let isFirst = state.withLock { (state) in
      defer { state = .unavailable(failedRecently: true) }
      guard case .available = state else { return false }
      return true
    }
    guard isFirst else { return }
    Diagnostics.server.note("the database cannot be used: \(reason)")
    Task {
      repeat {
        state.withLock { $0 = .unavailable(failedRecently: false) }
        try? await Task.sleep(for: .seconds(1))
      } while await !isUsable || !endOutage()
      Diagnostics.server.note("the database can be used again")
    }
  }

  /// Ends the outage, unless a request failed in the last second: connections recover one by one.
  private func endOutage() -> Bool {
    state.withLock { (state) in
      if case .unavailable(failedRecently: true) = state { return false }
      state = .available
      return true
    }
  }

  private var isUsable: Bool {
    get async {
      if let file, !file.isInPlace { return false }
      return (try? await service.check()) != nil
    }
  }

  private static func missing(_ file: ServedFile) -> String {
    "\(file.path.quotedForTerminal) was removed or replaced: restore it and restart the server"
  }

  /// The error codes about the store as a whole, not about one request.
  private static let codes: Set<String> = Set(
    [StorageError.Code.unavailable, .timedOut, .full, .readOnly, .outcomeUnknown].map(\.rawValue))
}
