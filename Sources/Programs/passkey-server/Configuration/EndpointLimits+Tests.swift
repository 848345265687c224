// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP

extension EndpointLimits {
  /// The limits of a server for tests, which no test reaches.
  var forTests: EndpointLimits {
    var limits = self
    (limits.registrationsPerAddress, limits.signInsPerAddress) = (nil, nil)
    let others: [WritableKeyPath<EndpointLimits, RateLimit>] = [
      \.statusPerAddress, \.mailsPerAddress, \.mailsPerSite, \.mailsPerDomain, \.mails, \.changesPerAccount,
      \.changesPerAddress, \.changesPerSite, \.exportsPerAccount, \.tilesPerAddress,
    ]
    for limit in others { limits[keyPath: limit] = RateLimit(burst: 1_000_000, then: .microseconds(60)) }
    return limits
  }
}
