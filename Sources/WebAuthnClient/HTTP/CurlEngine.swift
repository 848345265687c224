// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import Synchronization

/// A libcurl easy handle, the multi handle that drives it, and the cookies.
///
/// All methods have to be called on one thread, except ``wake()``, which is thread-safe.
@safe final class CurlEngine: @unchecked Sendable {  // Used by the thread of its `TransferQueue` only.
  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  /// The cookies, kept between transfers.
  private var jar = CookieJar()

  /// Returns nil if libcurl cannot be initialized.
  init?() {
    guard Self.isStarted, let easy = unsafe curl_easy_init() else { return nil }
    guard let multi = unsafe curl_multi_init() else {
      unsafe curl_easy_cleanup(easy)
      return nil
    }
    unsafe self.easy = easy
    unsafe self.multi = multi
  }

  deinit {
    unsafe curl_easy_cleanup(easy)
    unsafe curl_multi_cleanup(multi)
  }

  /// Initializes libcurl once per process.
  private static let isStarted = passkey_curl_start() == CURLE_OK

  /// Interrupts the current wait, or the next one.
  func wake() {
    unsafe curl_multi_wakeup(multi)
  }

  /// Waits until ``wake()`` is called.
  func sleep() {
    unsafe curl_multi_poll(multi, nil, 0, Self.longestWait, nil)
  }

  /// Performs a transfer and blocks this thread until it ends.
  func perform(_ transfer: Transfer) -> Exchange {
    unsafe curl_easy_reset(easy)
    var options = unsafe CurlOptions(easy)
    var lists: [CurlList] = []
    defer {
      options.takeBack()
      // The pointers in the handle's options are not valid after this call.
      unsafe curl_easy_reset(easy)
      withExtendedLifetime((transfer, lists)) {}
    }
    do throws(ClientError) {
      lists = try options.set(for: transfer, jar)
    } catch {
      return Exchange(.failure(error))
    }
    let code = run(transfer.isCancelled)
    let facts = unsafe TransferFacts(easy)
    let cookies = transfer.request.keepsCookies ? CookieJar(lines: facts.cookies) : jar
    if let cookies { jar = cookies }
    let outcome = Result { () throws(ClientError) in try reply(code, facts, cookies, transfer) }
    return Exchange(outcome, cookies: cookies)
  }

  private func reply(
    _ code: CURLcode?, _ facts: TransferFacts, _ cookies: CookieJar?, _ transfer: Transfer
  ) throws(ClientError) -> ServerReply {
    guard code == CURLE_OK else { throw CurlFault(code, facts, transfer).error }
    // libcurl accepts a truncated header section as complete.
    guard transfer.isHeadComplete else { throw CurlFault(CURLE_GOT_NOTHING, facts, transfer).error }
    if 300..<400 ~= facts.status, facts.status != 304 { throw CurlFault.redirected(facts, transfer) }
    guard transfer.hasStatedLength(facts.status) else {
      throw CurlFault.malformed("the response's length differs from its Content-Length", transfer)
    }
    guard let cookies else {
      throw CurlFault.malformed("the server sets too many or too large cookies", transfer)
    }
    return ServerReply(status: facts.status, headers: transfer.headers, body: transfer.body, cookies: cookies)
  }

  /// Returns the result of the transfer, or nil if it was cancelled.
  private func run(_ isCancelled: () -> Bool) -> CURLcode? {
    guard unsafe curl_multi_add_handle(multi, easy) == CURLM_OK else { return CURLE_FAILED_INIT }
    defer { unsafe curl_multi_remove_handle(multi, easy) }
    while !isCancelled() {
      var running: Int32 = 0
      guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
      var result = CURLE_OK
      if unsafe passkey_curl_take_result(multi, &result) != 0 { return result }
      guard unsafe curl_multi_poll(multi, nil, 0, Self.longestWait, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
    }
    return nil
  }

  // 60 s  [a wake-up normally ends the wait; this covers a lost one]
  private static let longestWait: Int32 = 60_000
}
