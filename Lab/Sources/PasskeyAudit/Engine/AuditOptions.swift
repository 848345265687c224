// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyProfiles
package import WebAuthnClient

/// A part of a registration that happens outside of the server's ceremonies, for the account with a name.
package typealias AccountStep<Result> = @Sendable (_ name: String) async throws(CannotTell) -> Result

/// The target and the bounds of an audit.
package struct AuditOptions: Sendable {
  package var server: ServerAddress
  package var profile: ServiceProfile
  package var http = HTTPSettings()

  /// The RP ID, if it is not the server's host. Options with another one take precedence.
  package var relyingPartyID: String?

  /// The origin of the pages, if it is not the server's address.
  package var origin: String?

  /// A sign-up code, if the server requires one.
  package var invitation: String?

  /// Returns a sign-up code for the account with a name, if each code is good for one account. Replaces ``invitation``.
  package var newInvitation: AccountStep<String>?

  /// Returns the code of the mail that the server sent to the address of a new account.
  package var mailCode: AccountStep<String>?

  /// Has the account with a name approved.
  package var approve: AccountStep<Void>?

  /// The domain of the addresses of accounts.
  package var mailDomain = "audit.example"

  /// Only these checks, if there are any, by ID.
  package var only: Set<String> = []

  /// No checks with these IDs.
  package var skipped: Set<String> = []

  /// Only these groups, if there are any.
  package var groups: Set<CheckGroup> = []

  // 20 requests/s [a person's browser sends more when it loads a page]
  static let defaultRequestsPerSecond = 20.0

  /// The highest rate of requests. Without it, 20 a second, and no limit on loopback interfaces.
  package var requestsPerSecond: Double?

  // 3,000 requests [all checks send about half as many]
  package var maximumRequests = 3_000

  // 10 s [time-outs of development servers; those of production are minutes]
  /// The longest time that the audit waits for one expiry or one rate limit.
  package var patience: Duration = .seconds(10)

  /// Called when the server limits a request (429), with the length of all pauses so far.
  package var limited: (@Sendable (_ paused: Duration) -> Void)?

  /// Called before the audit waits until something happens, with the length of the pause.
  package var waits: (@Sendable (_ pause: Duration, _ event: String) -> Void)?

  /// Whether the accounts that the audit made are erased at the end, where the server can.
  package var erasesAccounts = true

  /// The version for the report.
  package var version = ""

  /// The wall clock.
  package var now: @Sendable () -> UnixTime

  package init(
    _ server: ServerAddress, _ profile: ServiceProfile, now: @escaping @Sendable () -> UnixTime
  ) {
    self.server = server
    self.profile = profile
    self.now = now
  }

  /// Whether the options select a check.
  package func selects(_ check: Check) -> Bool {
    (only.isEmpty || only.contains(check.id)) && (groups.isEmpty || groups.contains(check.group))
      && !skipped.contains(check.id)
  }

  /// The rate that the audit keeps; nil without a limit.
  var rate: Double? {
    let isLocal = server.isLoopback && !http.isRedirected
    return requestsPerSecond ?? (isLocal ? nil : Self.defaultRequestsPerSecond)
  }
}
