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
    // Each has its own time: what one path gave says nothing about another.
    for path in reads.keys { reads[path]?.failed(with: error) }
  }

  /// Fails where nothing may be written now.
  func requireWriting() throws(ClientError) {
    try overall.requireWriting()
  }

  /// What a path gave last, and the words that go with it while there is no connection.
  func last(of path: String) -> (banner: String, body: [UInt8])? {
    let banner = reads[path]?.banner(secondsFromUTC: LocalTime.secondsFromUTC)
    guard let banner, let last = reads[path]?.lastRead else { return nil }
    return (banner, last.content)
  }

  mutating func forget() {
    reads = [:]
  }
}
