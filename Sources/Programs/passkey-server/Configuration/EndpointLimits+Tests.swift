// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP

extension Endpoints.Limits {
  /// The limits of a server for tests, which no test reaches.
  var forTests: Self {
    var limits = self
    (limits.registrationsPerAddress, limits.signInsPerAddress) = (nil, nil)
    let others: [WritableKeyPath<Self, RateLimit>] = [
      \.statusPerAddress, \.mailsPerAddress, \.mailsPerSite, \.mailsPerDomain, \.mails, \.changesPerAccount,
      \.changesPerAddress, \.changesPerSite, \.exportsPerAccount, \.tilesPerAddress,
    ]
    for limit in others { limits[keyPath: limit] = RateLimit(burst: 1_000_000, then: .microseconds(60)) }
    return limits
  }
}
