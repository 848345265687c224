// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto

/// A stage of making a ceremony, in which a fault can occur.
package protocol Draft: Sendable {}

/// A named misbehavior of a client, an authenticator or an attacker between them.
///
/// A ceremony is made in stages, each with a draft of its own type: the members of client data, their bytes, authenticator
/// data, certificates, the attestation statement, the response. A fault changes the draft of one stage. Later stages work on
/// the changed draft, so signatures cover it, and the fault is the only error of the ceremony.
///
/// ```swift
/// let clientData = FaultStage<ClientDataDraft>()
/// let fault = clientData("the origin is missing") { $0.origin = nil }
/// ```
package struct Fault: Sendable {
  /// The error in English, a clause without a full stop.
  package let name: String

  private let corrupt: @Sendable (any Draft) throws(PasskeyCryptoError) -> any Draft

  /// Creates a fault in the stage whose draft the closure takes.
  package init<Stage: Draft>(
    _ name: String, _ corrupt: @escaping @Sendable (inout Stage) throws(PasskeyCryptoError) -> Void
  ) {
    self.name = name
    self.corrupt = { (draft) throws(PasskeyCryptoError) in
      guard var own = draft as? Stage else { return draft }
      try corrupt(&own)
      return own
    }
  }

  /// Creates a fault in the stage whose draft the closure takes, for checks of live servers.
  package init<Stage: Draft>(in _: Stage.Type = Stage.self, change: @escaping @Sendable (inout Stage) -> Void) {
    self.init("") { (draft: inout Stage) throws(PasskeyCryptoError) in change(&draft) }
  }

  fileprivate func corrupted<Stage: Draft>(_ draft: Stage) throws(PasskeyCryptoError) -> Stage {
    try corrupt(draft) as? Stage ?? draft
  }
}

/// The faults of one stage. Called with a name and a change of the stage's draft, it makes one.
package struct FaultStage<Stage: Draft>: Sendable {
  package init() {}

  package func callAsFunction(
    _ name: String, _ corrupt: @escaping @Sendable (inout Stage) throws(PasskeyCryptoError) -> Void
  ) -> Fault {
    Fault(name, corrupt)
  }
}

extension [Fault] {
  /// Returns the draft with the faults of its stage.
  package func applied<Stage: Draft>(to draft: Stage) throws(PasskeyCryptoError) -> Stage {
    var draft = draft
    for fault in self { draft = try fault.corrupted(draft) }
    return draft
  }
}
