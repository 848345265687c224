// SPDX-License-Identifier: Apache-2.0

/// What one client may take of the server. Each has a reason; what is beyond one is refused with its own status, or cut
/// off where no answer would be read.
public struct ServerLimits: Hashable, Sendable {
  /// 64 KiB. [The longest message is a registration with a long certificate chain, some 20 KiB.] Beyond: 413.
  public var bodySize = 65_536

  /// 16 KiB for the request line and all header fields. [Browsers send one or two; cookies of neighbours add to them.]
  /// Beyond: 431.
  public var headerSize = 16_384

  /// 100 header fields. [Browsers send twenty; each costs more than its bytes.] Beyond: 431.
  public var headerCount = 100

  /// 2,048 bytes of path and query. [Our longest path has 80, a credential's id 1,364 at the most.] Beyond: 414.
  public var targetLength = 2_048

  /// 1,024 connections in all. [48 KiB each, and within the 1,024 descriptors that a process has by default only
  /// where that is raised.] Beyond: a new connection takes the place of one of the address that holds the most, or is closed
  /// at once if its own address does.
  public var connections = 1_024

  /// 64 connections from one address, or from one /64 of IPv6; those of trusted proxies are not counted. [A browser opens
  /// six; an office behind one address has a few browsers.] Beyond: closed at once.
  public var connectionsPerAddress = 64

  /// 15 seconds in which nothing comes or goes. [Mobile networks stall for some seconds; idle connections cost memory.]
  public var inactivity = Duration.seconds(15)

  /// 20 seconds for a whole request to arrive, however steadily it drips. [64 KiB in that time are 26 kbit/s.]
  public var requestDeadline = Duration.seconds(20)

  /// 20 seconds for an answer to be made. [A database that is away is noticed before.] Beyond: 503.
  public var answerDeadline = Duration.seconds(20)

  /// 20 seconds for an answer to be taken by the client.
  public var sendingDeadline = Duration.seconds(20)

  /// The limits as they are named above.
  public init() {}

  // 48 KiB for each connection's buffers  [a head of 16 KiB, of which cookies are copied once, and some 60 bytes for each
  // header field, cookie and part of a query; a head that needs more is refused with 431 by the library. After each
  // request it clears all of it, which takes time and makes all of it resident]
  static let memoryPerConnection = 49_152

  // 64 more than the limit  [a connection that another one replaced is open until its thread has closed it]
  private static let replacedConnections = 64

  /// How many connections each thread accepts; beyond, they wait in the system's queue. ``ConnectionTable`` keeps the limit.
  var acceptedConnections: Int {
    let (sum, overflow) = max(1, connections).addingReportingOverflow(Self.replacedConnections)
    return overflow ? .max : sum
  }

  /// What is read and thrown away of a body that is too long, so that the client reads the answer before the end of the
  /// connection: four bodies.
  var discardedSize: Int { bodySize.multipliedReportingOverflow(by: 4).overflow ? .max : bodySize * 4 }
}
