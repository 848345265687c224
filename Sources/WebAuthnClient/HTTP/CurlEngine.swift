// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import Synchronization

/// Libcurl's two handles, one that does a transfer and one that waits for it, and the cookies.
///
/// One thread works with it; ``wake()`` is for any.
@safe final class CurlEngine: @unchecked Sendable {
  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  /// The cookies from one transfer to the next.
  private var jar = CookieJar()

  /// Nil where libcurl cannot be had.
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

  /// Once for the process.
  private static let isStarted = passkey_curl_start() == CURLE_OK

  /// Ends the next wait, or the one that is on.
  func wake() {
    unsafe curl_multi_wakeup(multi)
  }

  /// Waits to be woken.
  func sleep() {
    unsafe curl_multi_poll(multi, nil, 0, Self.longestWait, nil)
  }

  /// Does a transfer, and waits for its end in this thread.
  func perform(_ transfer: Transfer) -> Exchange {
    unsafe curl_easy_reset(easy)
    var options = unsafe CurlOptions(easy)
    var lists: [CurlList] = []
    defer {
      options.takeBack()
      // What it points to ends with this call.
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
    // Libcurl takes a header that breaks off for a whole one.
    guard transfer.isHeadComplete else { throw CurlFault(CURLE_GOT_NOTHING, facts, transfer).error }
    if 300..<400 ~= facts.status, facts.status != 304 { throw CurlFault.redirected(facts, transfer) }
    guard transfer.hasStatedLength(facts.status) else {
      throw CurlFault.malformed("the reply's length is not what it says", transfer)
    }
    guard let cookies else {
      throw CurlFault.malformed("the server sets more or larger cookies than it may", transfer)
    }
    return ServerReply(status: facts.status, headers: transfer.headers, body: transfer.body, cookies: cookies)
  }

  /// How the transfer ended; nil where it was cancelled.
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

  // 60 s [somebody wakes it when there is something to do; this is in case nobody does]
  private static let longestWait: Int32 = 60_000
}
