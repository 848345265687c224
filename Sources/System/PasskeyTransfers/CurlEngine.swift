// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyCurl
internal import PasskeyCrypto

/// libcurl's handles: one for each running transfer, and the multi handle that drives them.
///
/// All methods have to be called on one thread, except ``wake()``, which is thread-safe.
@safe final class CurlEngine: @unchecked Sendable {  // Used by the thread of its owner only.
  /// An easy handle, freed with the wrapper.
  @safe private final class Handle {
    let pointer: UnsafeMutableRawPointer

    init?() {
      guard let pointer = unsafe curl_easy_init() else { return nil }
      unsafe self.pointer = pointer
    }

    deinit {
      unsafe curl_easy_cleanup(pointer)
    }

    var address: UInt { unsafe UInt(bitPattern: pointer) }
  }

  /// A transfer that libcurl performs.
  private struct Running {
    let easy: Handle
    let transfer: Transfer
    let options: CurlOptions
    /// The handle's options point into these.
    let lists: [CurlList]
    let report: (TransferOutcome) -> Void
  }

  private let multi: UnsafeMutableRawPointer
  private var idle: [Handle] = []
  /// The running transfers by the addresses of their handles.
  private var running: [UInt: Running] = [:]

  /// Creates the multi handle. Returns nil if libcurl cannot be initialized.
  init?() {
    guard Self.isStarted, let multi = unsafe curl_multi_init() else { return nil }
    unsafe self.multi = multi
  }

  deinit {
    for transfer in running.values { unsafe curl_multi_remove_handle(multi, transfer.easy.pointer) }
    running = [:]
    idle = []
    unsafe curl_multi_cleanup(multi)
  }

  /// Initializes libcurl once per process.
  static let isStarted: Bool = {
    // libcurl starts libcrypto with its clean-up at exit, unless it has started.
    LibCrypto.start()
    return passkey_curl_start() == CURLE_OK
  }()

  /// The number of running transfers.
  var count: Int { running.count }

  /// Interrupts the current wait, or the next one.
  func wake() {
    unsafe curl_multi_wakeup(multi)
  }

  /// Starts a transfer. `report` is called once, on this thread: at once if the transfer cannot start.
  func start(_ transfer: Transfer, report: @escaping (TransferOutcome) -> Void) {
    guard let easy = idle.popLast() ?? Handle() else {
      return report(TransferOutcome(.failure(TransferFault(.libraryUnusable))))
    }
    var options = unsafe CurlOptions(easy.pointer)
    do throws(TransferFault) {
      let lists = try options.set(for: transfer)
      let next = Running(easy: easy, transfer: transfer, options: options, lists: lists, report: report)
      guard unsafe curl_multi_add_handle(multi, easy.pointer) == CURLM_OK else { throw TransferFault(.invalidRequest) }
      running[easy.address] = next
    } catch {
      options.takeBack()
      unsafe curl_easy_reset(easy.pointer)
      idle.append(easy)
      report(TransferOutcome(.failure(error)))
    }
  }

  /// Ends the transfers that are complete or cancelled. If there is no such transfer, first waits for network traffic
  /// or ``wake()``.
  func advance() {
    for transfer in Array(running.values) where transfer.transfer.isCancelled() { end(transfer, nil) }
    let isIdle = running.isEmpty
    guard !endComplete(), !isIdle else { return }
    if unsafe curl_multi_poll(multi, nil, 0, Self.longestWait, nil) != CURLM_OK { endAll() }
  }

  /// Ends the transfers that are complete. If there is no such transfer, first waits for network traffic, or until a
  /// timer fires. Does not look for cancelled transfers.
  func advance(until timer: borrowing CurlTimer) {
    guard !endComplete() else { return }
    if unsafe passkey_curl_poll_with_timer(multi, timer.descriptor, Self.longestWait) != CURLM_OK { endAll() }
  }

  /// Sends and receives the bytes that are ready, and ends the complete transfers. Returns whether there were any.
  private func endComplete() -> Bool {
    var active: Int32 = 0
    guard unsafe curl_multi_perform(multi, &active) == CURLM_OK else {
      endAll()
      return true
    }
    var result = CURLE_OK
    var hasEnded = false
    while let easy = unsafe passkey_curl_take_result(multi, &result) {
      hasEnded = true
      if let transfer = running[UInt(bitPattern: easy)] { end(transfer, result) }
    }
    return hasEnded
  }

  /// Waits until ``wake()`` is called.
  func sleep() {
    unsafe curl_multi_poll(multi, nil, 0, Self.longestWait, nil)
  }

  private func endAll() {
    for transfer in Array(running.values) { end(transfer, CURLE_FAILED_INIT) }
  }

  /// Ends a transfer and reports its outcome. `code` is nil if the transfer was cancelled.
  private func end(_ ended: Running, _ code: CURLcode?) {
    let easy = ended.easy
    let transfer = ended.transfer
    // The facts of a transfer are readable until its handle is reset.
    let facts = unsafe TransferFacts(easy.pointer)
    unsafe curl_multi_remove_handle(multi, easy.pointer)
    ended.options.takeBack()
    // The pointers in the handle's options are not valid after this call.
    unsafe curl_easy_reset(easy.pointer)
    idle.append(easy)
    running[easy.address] = nil
    withExtendedLifetime(ended.lists) {}
    var cookies: [String]?
    if case .http(let content) = transfer.request.content, content.cookies != nil { cookies = facts.cookies }
    let outcome = Result { () throws(TransferFault) in try reply(code, facts, transfer) }
    ended.report(TransferOutcome(outcome, cookies: cookies))
  }

  private func reply(
    _ code: CURLcode?, _ facts: TransferFacts, _ transfer: Transfer
  ) throws(TransferFault) -> TransferReply {
    func fault(_ cause: TransferFault.Cause) -> TransferFault {
      TransferFault(cause, mayHaveBeenSent: transfer.mayHaveBeenSent, status: facts.status)
    }
    guard let code else { throw fault(.cancelled) }
    guard code == CURLE_OK else { throw CurlFault(code, facts, transfer).fault }
    if case .http(let content) = transfer.request.content {
      // libcurl accepts a truncated header section as complete.
      guard transfer.isHeadComplete else { throw fault(.truncated) }
      if 300..<400 ~= facts.status, facts.status != 304, !content.returnsRedirects {
        throw fault(CurlFault.redirect(facts))
      }
      guard transfer.hasStatedLength(facts.status) else { throw fault(.lengthDiffers) }
    }
    return TransferReply(
      status: facts.status, fields: transfer.fields, body: transfer.body, exchangeTime: facts.exchangeTime)
  }

  // 60 s  [a wake-up normally ends the wait; this covers a lost one]
  private static let longestWait: Int32 = 60_000
}
