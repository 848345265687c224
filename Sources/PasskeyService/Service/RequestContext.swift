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

  /// Describes a request.
  public init(time: Timestamp, requestID: String, sourceAddress: String? = nil) {
    self.time = time
    self.requestID = requestID
    self.sourceAddress = sourceAddress
  }
}
