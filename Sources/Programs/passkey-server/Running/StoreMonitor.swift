// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyService
internal import PasskeySQLite
internal import PasskeyStorage
internal import PasskeySystem

/// Reports once when the database becomes unavailable and once when it is available again, however many requests fail
/// in between: on standard error and in the audit log. It learns of failures from requests, so it adds no queries while the
/// database works, and looks at the files of a SQLite database.
final class StoreMonitor: Sendable {
  private let service: AuthService
  private let file: SQLiteStorage?
  private let auditLog: AuditLogSink?
  private let exemptPaths: Set<String>
  private let state = Locked(State())

  private struct State {
    var isAvailable = true
    var hasFailedRecently = false
    /// The reported fault of the files.
    var fault: String?
    /// Whether a record that cannot be read was reported.
    var hasUnreadableRecord = false
  }

  /// Watches a service's store, and the files of a SQLite store. Requests to `exemptPaths` are always handled.
  init(_ service: AuthService, file: SQLiteStorage?, auditLog: AuditLogSink?, exemptPaths: Set<String>) {
    self.service = service
    self.file = file
    self.auditLog = auditLog
    self.exemptPaths = exemptPaths
  }

  /// Responds to a request with `handler`. If the database's files are gone or damaged, rejects the request: a write would
  /// be lost when the process ends, and the client would be told that it succeeded.
  func respond(to request: EndpointRequest, by handler: EndpointHandler) async -> EndpointResponse {
    if let fault = file?.fault, !exemptPaths.contains(request.target.path) {
      report(fault.detail, isFault: true)
      return .problem(
        .serviceUnavailable, code: ServiceError.Code.storageUnavailable.rawValue,
        title: "The database cannot be used at present", to: request)
    }
    let response = await handler(request)
    if let code = response.problemCode {
      if response.status == .serviceUnavailable, Self.codes.contains(code) { report(code) }
      if response.status == .internalServerError, code == StorageError.Code.corrupt.rawValue {
        reportUnreadableRecord()
      }
    }
    return response
  }

  /// Looks at the files of a SQLite database each second until the task is cancelled, and once after that.
  func watch() async {
    guard let file else { return }
    var isLast = false
    repeat {
      isLast = Task.isCancelled
      if let fault = await file.findFault() { report(fault.detail, isFault: true) }
      try? await Task.sleep(for: .seconds(1))
    } while !isLast
  }

  /// Records an error. Returns whether it means that the database is unavailable.
  func report(_ error: ServiceError) -> Bool {
    guard Self.codes.contains(error.innermostCode) else { return false }
    report("\(error)")
    return true
  }

  private func report(_ reason: String, isFault: Bool = false) {
    let (isFirst, isNew) = state.withLock { (state) in
      defer {
        (state.isAvailable, state.hasFailedRecently) = (false, true)
        if isFault { state.fault = reason }
      }
      return (state.isAvailable, state.isAvailable || (isFault && state.fault != reason))
    }
    if isNew { tell("the database cannot be used: \(reason)") }
    guard isFirst else { return }
    Task {
      repeat {
        state.withLock { (state) in state.hasFailedRecently = false }
        try? await Task.sleep(for: .seconds(1))
      } while await !isUsable || !endOutage()
      tell("the database can be used again")
    }
  }

  /// A record of which a column is wrong, or a page. Others can be read, so it is no outage by itself.
  private func reportUnreadableRecord() {
    let isFirst = state.withLock { (state) in
      defer { state.hasUnreadableRecord = true }
      return !state.hasUnreadableRecord
    }
    if isFirst {
      tell("the database has a damaged record (storage.corrupt): check it, and restore a backup if need be")
    }
  }

  /// Tells the administrator, on standard error and in the audit log.
  private func tell(_ text: String) {
    Diagnostics.server.note(text.escapedForTerminal)
    guard let auditLog else { return }
    let line = AuditJSON.logLine(ofStore: text, at: Clock.now)
    // The follower reports a log that cannot be written.
    Task { try? await SystemThread.run { () throws(SystemError) in try auditLog.write([line]) } }
  }

  /// Ends the outage, unless a request failed in the last second: connections recover one by one.
  private func endOutage() -> Bool {
    state.withLock { (state) in
      guard !state.hasFailedRecently else { return false }
      (state.isAvailable, state.fault) = (true, nil)
      return true
    }
  }

  private var isUsable: Bool {
    get async {
      if file?.fault != nil { return false }
      return (try? await service.check()) != nil
    }
  }

  /// The error codes about the store as a whole, not about one request.
  private static let codes: Set<String> = Set(
    [StorageError.Code.unavailable, .timedOut, .full, .readOnly, .outcomeUnknown].map(\.rawValue))
}
