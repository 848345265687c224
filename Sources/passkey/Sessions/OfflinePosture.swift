// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// What `passkey session` may show and do while there is no connection. It lives as long as the process, in memory.
struct OfflinePosture {
  /// What each path gave last.
  private var reads: [String: Connectivity<[UInt8]>] = [:]
  private var overall = Connectivity<Bool>()

  /// Whether the server was not reached the last time.
  var isOffline: Bool { overall.phase == .offline }

  mutating func succeeded(reading path: String, _ body: [UInt8], at time: Timestamp) {
    reads[path, default: Connectivity()].succeeded(reading: body, at: time)
    overall.succeeded(reading: true, at: time)
  }

  mutating func answered() {
    overall.answered()
  }

  mutating func failed(with error: ClientError) {
    overall.failed(with: error)
  }

  /// Fails where nothing may be written now.
  func requireWriting() throws(ClientError) {
    try overall.requireWriting()
  }

  /// What a path gave last, and the words that go with it, after a read that failed so.
  mutating func last(of path: String, after error: ClientError) -> (banner: String, body: [UInt8])? {
    guard error.isLossOfConnection, var read = reads[path] else { return nil }
    read.failed(with: error)
    reads[path] = read
    guard let banner = read.banner(secondsFromUTC: LocalTime.secondsFromUTC), let last = read.lastRead else { return nil }
    return (banner, last.content)
  }

  mutating func forget() {
    reads = [:]
  }
}
