// SPDX-License-Identifier: Apache-2.0

extension Endpoints {
  /// The rate limits of the endpoints.
  public struct Limits: Hashable, Sendable {
    /// Ceremony requests and session renewals from one address. Those of known clients count per account and address.
    /// The site of an address, an IPv6 /48 or an IPv4 /24, has sixteen times as many. [A household or an office shares
    /// one address, and a sign-in takes two requests.]
    public var perAddress = RateLimit(burst: 60, then: .seconds(1))

    /// Ceremonies that one address begins for one account, whether the account exists or not. Each known client of an
    /// account has a budget of its own, and so do all sessions of an account together. [More than a person needs, and a
    /// short wait.]
    public var perAccount = RateLimit(burst: 20, then: .seconds(3))

    /// Registrations that one address begins; nil for no limit beside the others.
    public var registrationsPerAddress: RateLimit?

    /// Sign-ins that one address begins; nil for no limit beside the others.
    public var signInsPerAddress: RateLimit?

    /// Requests of one address for the state of an account. [A client that waits for approval asks twice a minute.]
    public var statusPerAddress = RateLimit(burst: 20, then: .seconds(5))

    /// Requests from one address that send a mail, to any recipient. The service limits the mails to each recipient.
    /// [An office shares one address; a person needs one or two.]
    public var mailsPerAddress = RateLimit(burst: 20, then: .seconds(30))

    /// Requests of one kind that send a mail, from the site of an address: an IPv6 /48 or an IPv4 /24. The kinds are
    /// sign-ups, recoveries, and requests of signed-in accounts. [Ten busy addresses at once; of 65,536 mobile
    /// subscribers of a /48, 1,800 can sign up in an hour.]
    public var mailsPerSite = RateLimit(burst: 200, then: .seconds(2))

    /// Requests of one kind that send a mail to one domain, from any address. [Half of what all domains get, so that a
    /// flood of one leaves room for the others.]
    public var mailsPerDomain = RateLimit(burst: 500, then: .milliseconds(500))

    /// Requests of one kind that send a mail, from any address to any recipient. Each sign-up that waits for its code
    /// is such a request. [Mail providers accept some mails a second from a customer. At most 5,500 sign-ups of 3 KB
    /// wait for 15 minutes: 16 MB.]
    public var mails = RateLimit(burst: 1_000, then: .milliseconds(200))

    /// Changes and administrative requests of one account. [Each creates a permanent audit record; a person makes a
    /// few.]
    public var changesPerAccount = RateLimit(burst: 240, then: .milliseconds(500))

    /// Changes and administrative requests of all accounts at one address. [Anyone can open any number of accounts. A
    /// thousand people behind one address who sign out within five minutes make four a second; 200 MB of records in a
    /// day.]
    public var changesPerAddress = RateLimit(burst: 1_200, then: .milliseconds(250))

    /// Changes and administrative requests of all accounts at the site of an address: an IPv6 /48 or an IPv4 /24. [A
    /// site has more people than an address; 800 MB of records in a day.]
    public var changesPerSite = RateLimit(burst: 4_800, then: .microseconds(62_500))

    /// Data exports of one account. [Each reads all data of the account.]
    public var exportsPerAccount = RateLimit(burst: 2, then: .seconds(30))

    /// Requests of one address for checkpoints and tiles of the audit log. [A monitor that starts reads a tile for each
    /// 256 records, then one or two a minute.]
    public var tilesPerAddress = RateLimit(burst: 500, then: .milliseconds(50))

    /// The lifetime of a known-client mark. A known client keeps its own budgets while others flood the account or its
    /// address. [A person who signs in once a quarter stays known.]
    public var knownClientLifetime = Duration.seconds(90 * 86_400)

    /// The maximum age of a cached readiness check for `/readyz` and `/metrics`. [Each check writes to the database,
    /// and any client can request it.]
    public var readinessInterval = Duration.seconds(1)

    /// Creates the default limits. Per address: 60 requests, then one per second; 1,200 changes, then four per second.
    /// Per account: 20 ceremonies, then 20 per minute; 240 changes, then two per second; 2 exports, then 2 per minute.
    public init() {}
  }
}
