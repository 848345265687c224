// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// One stage of a ceremony in the making, at which something can go wrong.
protocol Draft: Sendable {}

/// One way in which a client, an authenticator or whoever stands between them misbehaves: a value with a name.
///
/// A ceremony is made in stages, each with a draft of its own: client data as members, then as bytes, authenticator data,
/// certificates, the statement, the response. A fault is in one of them, and everything behind it is made rightly of
/// what it spoilt: what is signed is still signed, so that nothing but the fault itself is wrong.
///
/// ```swift
/// let fault = Fault("the origin has another port") { (draft: inout ClientDataDraft) in
///   draft.origin += ":8443"
/// }
/// ```
struct Fault: Sendable {
  /// What is wrong, as part of a sentence.
  let name: String

  private let spoil: @Sendable (any Draft) throws(CryptoError) -> any Draft

  /// A fault in the stage whose draft the closure takes.
  init<Stage: Draft>(_ name: String, _ spoil: @escaping @Sendable (inout Stage) throws(CryptoError) -> Void) {
    self.name = name
    self.spoil = { (draft) throws(CryptoError) in
      guard var own = draft as? Stage else { return draft }
      try spoil(&own)
      return own
    }
  }

  fileprivate func spoilt<Stage: Draft>(_ draft: Stage) throws(CryptoError) -> Stage {
    try spoil(draft) as? Stage ?? draft
  }
}

extension [Fault] {
  /// The draft with those faults in it that are in this stage.
  func applied<Stage: Draft>(to draft: Stage) throws(CryptoError) -> Stage {
    var draft = draft
    for fault in self { draft = try fault.spoilt(draft) }
    return draft
  }
}
