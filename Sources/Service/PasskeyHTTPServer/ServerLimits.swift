// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP
/// The resource limits of a server, per client and in total. The reason for each value is in brackets.
///
/// The server answers a request beyond a limit with the status of that limit. It closes the connection if the client
/// would not read a response.
public struct ServerLimits: Hashable, Sendable {
  /// 64 KiB. [The longest message is a registration with a long certificate chain, some 20 KiB.] Beyond: 413.
  public var bodySize = 65_536

  /// 16 KiB for the request line and all header fields. [Browsers send one or two; cookies of sibling domains add to
  /// them.] Beyond: 431.
  public var headerSize = 16_384

  /// 100 header fields. [Browsers send twenty; each costs more than its bytes.] Beyond: 431.
  public var headerCount = 100

  /// 2,048 bytes of path and query. [The longest path has 80, a credential ID at most 1,364.] Beyond: 414.
  public var targetLength = 2_048

  /// 1,024 connections in all. [48 KiB each. Needs a limit of more than 1,024 descriptors per process.]
  /// Beyond: a new connection replaces one of the address that holds the most, or is closed at once if that is its own
  /// address.
  public var connections = 1_024

  /// 64 connections from one address, or from one IPv6 /64; connections of trusted proxies do not count. [A browser
  /// opens six; an office behind one address has a few browsers.] Beyond: closed at once.
  public var connectionsPerAddress = 64

  /// 15 seconds of idle time. [Mobile networks stall for some seconds; idle connections cost memory.]
  public var inactivity = Duration.seconds(15)

  /// 20 seconds for a whole request to arrive, however slowly its bytes trickle in. [64 KiB in that time are 26
  /// kbit/s.]
  public var requestDeadline = Duration.seconds(20)

  /// 20 seconds for the handler to produce a response. [An unreachable database is noticed earlier.] Beyond: 503.
  public var answerDeadline = Duration.seconds(20)

  /// 20 seconds for the client to receive a response.
  public var sendingDeadline = Duration.seconds(20)

  /// The default limits.
  public init() {}

  // 48 KiB for each connection's buffers  [a header of 16 KiB, of which cookies are copied once, and some 60 bytes for
  // each header field, cookie and query parameter; the library rejects a header that needs more with 431. After each
  // request it clears the whole buffer, which takes time and makes all of it resident]
  static let memoryPerConnection = 49_152

  // 64 more than the limit  [a replaced connection stays open until its thread has closed it]
  private static let replacedConnections = 64

  /// The number of connections that each thread accepts; more wait in the backlog. ``ConnectionTable`` enforces the
  /// limit.
  var acceptedConnections: Int {
    let (sum, overflow) = max(1, connections).addingReportingOverflow(Self.replacedConnections)
    return overflow ? .max : sum
  }

  /// The size of an oversized body that is read and discarded, so that the client reads the response before the
  /// connection closes: four times the body limit.
  var discardedSize: Int { bodySize.multipliedReportingOverflow(by: 4).overflow ? .max : bodySize * 4 }
}
