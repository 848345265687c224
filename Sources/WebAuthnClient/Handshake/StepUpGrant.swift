// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

/// The confirmation of one action. It is sent with exactly that request, and the server accepts it once.
public struct StepUpGrant: Sendable {
  /// The confirmed action.
  public let demand: StepUpDemand

  /// When it expires, if the server says so.
  public let expiry: Timestamp?

  let token: SecretBytes
}

extension StepUpGrant: CustomStringConvertible, CustomReflectable {
  /// The action.
  public var description: String { "a confirmation of \(demand.method) \(demand.path.prefix { $0 != "?" })" }

  /// An empty mirror, so that `dump` and failing tests do not print the token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
