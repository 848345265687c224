// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// The time and origin of a request, for audit records.
public struct CallContext: Hashable, Sendable {
  /// The time of the request.
  public var time: UnixTime

  /// The request ID, as in the access log.
  public var requestID: String

  /// The client's IP address, if known. It is stored beside the audit trail, and erased with the account.
  public var sourceAddress: String?

  /// The network of one subscriber that contains the address. All requests from it count as one client. Without a
  /// network, the address identifies the client.
  package var sourceNetwork: String?

  /// The caller's place in a trace. Notices about the request pass it on.
  public var traceParent: TraceParent?

  /// The language that the client prefers, such as `de`, for mails with codes that the request causes, and for an account
  /// that has none yet.
  public var language: String?

  /// The client's time zone, such as `Europe/Berlin`, for an account that has none yet.
  package var timeZone: String?

  /// The software of the client. A session that the request opens keeps it.
  public var client: AccountSession.ClientSoftware?

  /// Creates the context of a request.
  public init(
    time: UnixTime, requestID: String, sourceAddress: String? = nil, sourceNetwork: String? = nil,
    traceParent: TraceParent? = nil
  ) {
    self.time = time
    self.requestID = requestID
    self.sourceAddress = sourceAddress
    self.sourceNetwork = sourceNetwork
    self.traceParent = traceParent
  }
}
