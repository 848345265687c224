// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

/// The offline state of `passkey session`: the last results, and whether writing is allowed. It is kept in memory only.
struct OfflinePosture {
  /// The last result of each path.
  private var reads: [String: Connectivity<[UInt8]>] = [:]
  private var overall = Connectivity<Bool>()

  /// Whether the last request could not reach the server.
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
    // Each path has its own time: a read of one path does not refresh another.
    for path in reads.keys { reads[path]?.failed(with: error) }
  }

  /// Throws if writing is not allowed in the current state.
  func requireWriting() throws(ClientError) {
    try overall.requireWriting()
  }

  /// Returns the last result of a path and its banner, if there is no connection.
  func last(of path: String) -> (banner: String, body: [UInt8])? {
    let banner = reads[path]?.banner(secondsFromUTC: LocalTime.secondsFromUTC)
    guard let banner, let last = reads[path]?.lastRead else { return nil }
    return (banner, last.content)
  }

  mutating func forget() {
    reads = [:]
  }
}
