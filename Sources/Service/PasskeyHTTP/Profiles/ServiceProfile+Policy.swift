// SPDX-License-Identifier: Apache-2.0

public import PasskeyProfiles
public import PasskeyService
public import WebAuthnRelyingParty
internal import WebAuthnTypes

// The requirements of a profile on the service, the relying party and the rate limits.

extension ServiceProfile {
  /// The service policy that the profile describes. All other members have their defaults.
  public var servicePolicy: ServicePolicy {
    var policy = ServicePolicy()
    policy.signUp =
      switch signUp.policy {
      case .open: .open
      case .invitation: .invitation
      case .approval: .approval
      }
    policy.identifiers.username = Self.rule(identifiers.username)
    policy.identifiers.email = Self.rule(identifiers.email)
    policy.identifiers.usernameLength = identifiers.usernameLength
    policy.identifiers.handles = identifiers.accountID == .uuid ? .uuid : .random
    policy.identifiers.refusesTakenUsernamesAtOnce = identifiers.refusesTakenUsernames
    policy.sessions.allowsPendingAccounts = signUp.pendingAccountsHoldTokens
    policy.sessions.lifetime = .seconds(sessions.lifetimeSeconds)
    policy.sessions.idleLimit = sessions.idleSeconds.map { .seconds($0) }
    policy.sessions.verificationLimit = sessions.verificationSeconds.map { .seconds($0) }
    policy.sessions.warning = .seconds(sessions.warningSeconds)
    policy.sessions.renewal = sessions.refresh.map { (refresh) in
      var renewal = ServicePolicy.Sessions.Renewal()
      renewal.tokenLifetime = .seconds(refresh.tokenSeconds)
      renewal.sessionLifetime = .seconds(refresh.sessionSeconds)
      return renewal
    }
    return policy
  }

  private static func rule(_ presence: Identifiers.Presence) -> ServicePolicy.Identifiers.Rule {
    switch presence {
    case .none: .refused
    case .optional: .optional
    case .required: .required
    }
  }

  /// Applies the options of ceremonies to the policy of a relying party.
  public func apply(to policy: inout CeremonyPolicy) {
    policy.residentKey = ResidentKeyRequirement(rawValue: ceremonies.residentKey.rawValue)
    policy.userVerification = UserVerificationRequirement(rawValue: ceremonies.userVerification.rawValue)
    policy.lifetime = .seconds(ceremonies.timeoutSeconds)
  }
}

extension Endpoints.Limits {
  /// Creates the limits that a profile describes. All others have their defaults.
  public init(_ profile: ServiceProfile) {
    self.init()
    func limit(_ bucket: ServiceProfile.Limits.Bucket) -> RateLimit {
      RateLimit(burst: bucket.burst, then: .milliseconds(bucket.everyMilliseconds))
    }
    if let bucket = profile.limits.perAddress { perAddress = limit(bucket) }
    if let bucket = profile.limits.perAccount { perAccount = limit(bucket) }
    registrationsPerAddress = profile.limits.registrationsPerAddress.map(limit)
    signInsPerAddress = profile.limits.signInsPerAddress.map(limit)
    if let bucket = profile.limits.statusPerAddress { statusPerAddress = limit(bucket) }
    if let bucket = profile.limits.mailsPerAddress { mailsPerAddress = limit(bucket) }
  }
}
