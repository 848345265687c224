// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// When and from where the service is asked something: what audit records say of it.
public struct RequestContext: Hashable, Sendable {
  /// When.
  public var time: Timestamp

  /// The request's id, as the access log has it.
  public var requestID: String

  /// Where the request came from, where that is known. It is kept beside the audit trail, and erased with the account.
  public var sourceAddress: String?

  /// The network that one subscriber has, of which the address is a part: requests from there are one client's. Without one
  /// the address itself is taken.
  public var sourceNetwork: String?

  /// Describes a request.
  public init(time: Timestamp, requestID: String, sourceAddress: String? = nil, sourceNetwork: String? = nil) {
    self.time = time
    self.requestID = requestID
    self.sourceAddress = sourceAddress
    self.sourceNetwork = sourceNetwork
  }
}
