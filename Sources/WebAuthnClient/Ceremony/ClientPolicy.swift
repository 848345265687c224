// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// What the standard leaves to the client.
public struct ClientPolicy: Sendable {
  /// How long a relying party may have the client wait; what lies outside is moved to the nearest end.
  public var timeouts: ClosedRange<Duration> = .milliseconds(300_000) ... .milliseconds(600_000)

  /// How long the client waits where the relying party says nothing.
  public var defaultTimeout: Duration = .milliseconds(300_000)

  /// The relying parties that may have an attestation which names the very authenticator, by the word of whoever runs this
  /// machine. Others only get what its maker arranged with them.
  public var enterpriseRelyingParties: Set<RelyingPartyID> = []

  /// The one relying party that ceremonies may be for, where whoever runs this machine names one; nil for any that the
  /// origin may use.
  public var onlyRelyingParty: RelyingPartyID?

  /// The standard's recommendations [§15.1].
  public init() {}

  /// Fails where ceremonies may only be for another relying party.
  func requireAllowed(_ relyingParty: RelyingPartyID) throws(ClientError) {
    guard let onlyRelyingParty, onlyRelyingParty != relyingParty else { return }
    throw ClientError(.originNotAllowed, "\(relyingParty) is asked for, and only \(onlyRelyingParty) is allowed here")
  }

  /// How long a ceremony may take.
  func timeout(requested: UInt32?) -> Duration {
    guard let requested else { return defaultTimeout }
    return min(max(.milliseconds(Int64(requested)), timeouts.lowerBound), timeouts.upperBound)
  }
}
