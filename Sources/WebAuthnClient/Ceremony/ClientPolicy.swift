// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The decisions that the standard leaves to the client.
public struct ClientPolicy: Sendable {
  /// The range of time-outs that a relying party may request. The client clamps values outside it to the nearest bound.
  public var timeouts: ClosedRange<Duration> = .milliseconds(300_000) ... .milliseconds(600_000)

  /// The time-out if the relying party requests none.
  public var defaultTimeout: Duration = .milliseconds(300_000)

  /// The relying parties that an administrator allows to receive enterprise attestation. Other relying parties receive
  /// it only if the authenticator's manufacturer enabled them.
  public var enterpriseRelyingParties: Set<RelyingPartyID> = []

  /// The only relying party allowed in ceremonies, if an administrator set one. If nil, any relying party that the
  /// origin may use is allowed.
  public var onlyRelyingParty: RelyingPartyID?

  /// Creates a policy with the standard's recommended values [§15.1].
  public init() {}

  /// Throws if the policy allows only another relying party.
  func requireAllowed(_ relyingParty: RelyingPartyID) throws(ClientError) {
    guard let onlyRelyingParty, onlyRelyingParty != relyingParty else { return }
    throw ClientError(
      .originNotAllowed, "the request is for \(relyingParty), and the policy allows only \(onlyRelyingParty)")
  }

  /// Returns the time-out of a ceremony.
  func timeout(requested: UInt32?) -> Duration {
    guard let requested else { return defaultTimeout }
    return min(max(.milliseconds(Int64(requested)), timeouts.lowerBound), timeouts.upperBound)
  }
}
