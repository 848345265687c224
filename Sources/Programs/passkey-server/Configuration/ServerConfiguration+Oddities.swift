// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP
internal import PasskeyService

extension ServerConfiguration {
  /// Settings that are valid and unusual for a server that other people use, one line each. `config check` prints them, `serve`
  /// does not.
  var oddities: [String] {
    var lines: [String] = []
    if case .email(let waiting) = policy.contact.recovery {
      if policy.contact.verification == .off {
        lines.append(
          "recovery by mail trusts addresses that were never verified: set \(Setting.verifyEmail.option) required")
      }
      if waiting < .seconds(3_600) {
        lines.append(
          "a recovery by mail waits for \(Self.time(waiting)) only: its owner has no time to cancel what a reader of the "
            + "mailbox began")
      }
    }
    if policy.sessions.lifetime > .seconds(86_400) {
      lines.append(
        "session tokens live for \(Self.time(policy.sessions.lifetime)), and a copied one as long: a shorter "
          + "\(Setting.sessionLifetime.option) with \(Setting.refresh.option) keeps users signed in too")
    }
    guard cookieSecurity == .always else { return lines }
    if pages != nil, policy.signUp == .open, policy.identifiers.email != .refused, policy.contact.verification == .off {
      lines.append("anyone can create an account with any address, because no mail verifies it")
    }
    if limits.perAddress.burst > Self.usualBurst || limits.perAccount.burst > Self.usualBurst {
      lines.append("the rate limits of ceremonies are those of a test")
    }
    if metrics == .public { lines.append("everyone may read /metrics") }
    return lines
  }

  // 1,000 a minute [an office behind one address needs some hundred]
  private static let usualBurst = 1_000
}
