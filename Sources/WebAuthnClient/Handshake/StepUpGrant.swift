// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

/// The confirmation of one act. It is shown with that very request; the server takes it once.
public struct StepUpGrant: Sendable {
  /// The act that was confirmed.
  public let demand: StepUpDemand

  /// Until when it is good, where the server says so.
  public let expiry: Timestamp?

  let token: SecretBytes
}

extension StepUpGrant: CustomStringConvertible, CustomReflectable {
  /// The act.
  public var description: String { "a confirmation of \(demand.method) \(demand.path.prefix { $0 != "?" })" }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
