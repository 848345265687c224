// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnBrowser

/// The offline state of a program that reads several resources: their last contents, and whether it may write. It is
/// kept in memory only.
package struct OfflineState: Sendable {
  /// The state of each path that was read.
  private var reads: [String: Connectivity<[UInt8]>] = [:]
  private var overall = Connectivity<Bool>()

  /// Creates an online state without contents.
  package init() {}

  /// Whether the last request could not reach the server.
  package var isOffline: Bool { overall.phase == .offline }

  /// Records a successful read.
  package mutating func succeeded(reading path: String, _ body: [UInt8], at time: UnixTime) {
    reads[path, default: Connectivity()].succeeded(reading: body, at: time)
    overall.succeeded(reading: true, at: time)
  }

  /// Records an answer without content to show.
  package mutating func answered() {
    overall.answered()
  }

  /// Records a failed request.
  package mutating func failed(with error: ClientError) {
    overall.failed(with: error)
    // Each path has its own time: a read of one path does not refresh another.
    for path in reads.keys { reads[path]?.failed(with: error) }
  }

  /// Throws if writing is not allowed in the current state.
  package func requireWriting() throws(ClientError) {
    try overall.requireWriting()
  }

  /// Returns the last content of a path and its banner, if there is no connection. `secondsFromUTC` is the offset of the
  /// time zone of the banner.
  package func last(of path: String, secondsFromUTC: Int) -> (banner: String, body: [UInt8])? {
    guard let read = reads[path], let banner = read.banner(secondsFromUTC: secondsFromUTC), let last = read.lastRead
    else { return nil }
    return (banner, last.content)
  }

  /// Discards the contents.
  package mutating func forget() {
    reads = [:]
  }
}
