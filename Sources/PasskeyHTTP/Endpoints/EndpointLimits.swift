// SPDX-License-Identifier: Apache-2.0

/// How many ceremonies there may be, and how much of what costs or leaves a record.
public struct EndpointLimits: Hashable, Sendable {
  /// Requests that begin or finish a ceremony, or renew a session, from one address; those of known clients are counted
  /// for each account at an address. [A household or an office has one
  /// address, and each sign-in is two requests.]
  public var perAddress = RateLimit(burst: 60, then: .seconds(1))

  /// Ceremonies that one client address begins for one account, whether the account exists or not; and those that each
  /// known client, and all sessions together, begin for theirs. [More than a person tries, and few enough to wait for.]
  public var perAccount = RateLimit(burst: 10, then: .seconds(6))

  /// What a signed-in account changes, and what it asks for that takes a role. [Each is a record that
  /// stays; a person makes a few.]
  public var changesPerAccount = RateLimit(burst: 240, then: .milliseconds(500))

  /// Copies of everything that there is about an account. [Each reads all of it.]
  public var exportsPerAccount = RateLimit(burst: 2, then: .seconds(30))

  /// How long a client that has signed in is known. A known client keeps its own budgets while strangers flood the account
  /// or the client's address. [A person who signs in once a quarter stays known.]
  public var knownClientLifetime = Duration.seconds(90 * 86_400)

  /// How old a readiness check may be that `/readyz` and `/metrics` answer with. [Each check writes to the database, and
  /// every client may ask.]
  public var readinessInterval = Duration.seconds(1)

  /// 60 requests at once and then one a second from an address; 10 beginnings and then 10 a minute for an account; 240
  /// changes and then two a second, and 2 exports and then 2 a minute, by an account.
  public init() {}
}
