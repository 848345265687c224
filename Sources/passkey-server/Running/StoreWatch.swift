// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyHTTP
internal import PasskeyService
internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// Says when the database cannot be used and when it can again: a line for each, however many requests are refused
/// meanwhile. It is told by what fails, so that a database that answers is asked for nothing besides.
final class StoreWatch: Sendable {
  private let service: AuthService
  private let file: ServedFile?
  private let healthPath: String?
  private let state = Locked(State.present)

  private enum State {
    case present
    /// It cannot be used, or could not a moment ago.
    case away(failedLately: Bool)
  }

  /// Watches over a service's store, and over the file where it is one. The answer at `healthPath` needs neither.
  init(_ service: AuthService, file: ServedFile?, healthPath: String?) {
    self.service = service
    self.file = file
    self.healthPath = healthPath
  }

  /// Answers a request by `handler`. Where the database's file is gone nothing is asked of it: what would be written would
  /// be gone with the process, and whoever was told that it was done would be told wrong.
  func respond(to request: HTTPRequest, by handler: HTTPHandler) async -> HTTPResponse {
    if let file, !file.isInPlace, request.target.path != healthPath {
      notice(Self.gone(file))
      return .problem(
        .serviceUnavailable, code: ServiceError.Code.storageUnavailable.rawValue,
        title: "The store cannot be used now", to: request)
    }
    let response = await handler(request)
    if response.status == .serviceUnavailable, let code = response.problemCode, Self.codes.contains(code) {
      notice(code)
    }
    return response
  }

  /// Takes an error for what it says of the database; whether it says that it cannot be used.
  func notice(_ error: ServiceError) -> Bool {
    guard Self.codes.contains(error.innermostCode) else { return false }
    notice("\(error)".escapedForTerminal)
    return true
  }

  private func notice(_ reason: String) {
    let isNews = state.withLock { (state) in
      defer { state = .away(failedLately: true) }
      guard case .present = state else { return false }
      return true
    }
    guard isNews else { return }
    Diagnostics.server.note("the database cannot be used: \(reason)")
    Task {
      repeat {
        state.withLock { $0 = .away(failedLately: false) }
        try? await Task.sleep(for: .seconds(1))
      } while await !isUsable || !isBack()
      Diagnostics.server.note("the database can be used again")
    }
  }

  /// Ends the absence, unless something failed in the last second: connections come back one after another.
  private func isBack() -> Bool {
    state.withLock { (state) in
      if case .away(failedLately: true) = state { return false }
      state = .present
      return true
    }
  }

  private var isUsable: Bool {
    get async {
      if let file, !file.isInPlace { return false }
      return (try? await service.check()) != nil
    }
  }

  private static func gone(_ file: ServedFile) -> String {
    "\(file.path.quotedForTerminal) is gone, or another file: put the right one there, and start the server anew"
  }

  /// What the store says of itself, and not of a request.
  private static let codes: Set<String> = Set(
    [StorageError.Code.unavailable, .timedOut, .full, .readOnly, .outcomeUnknown].map(\.rawValue))
}
