// SPDX-License-Identifier: Apache-2.0

/// How many ceremonies there may be.
public struct EndpointLimits: Hashable, Sendable {
  /// Requests that begin or finish a ceremony, or renew a session, from one address. [A household or an office has one
  /// address, and each sign-in is two requests.]
  public var perAddress = RateLimit(burst: 60, then: .seconds(1))

  /// Ceremonies that are begun for one account, whether there is one or not. [More than a person tries, and few enough
  /// to wait for.]
  public var perAccount = RateLimit(burst: 10, then: .seconds(6))

  /// 60 requests at once and then one a second from an address; 10 beginnings and then 10 a minute for an account.
  public init() {}
}
