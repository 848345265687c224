// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnInspection
internal import WireFormats

/// What a client says about a ceremony, member by member, before it is written (WebAuthn §5.8.1).
struct ClientDataDraft: Draft {
  /// A member whose draft is nil is not written.
  var type: JSONDraft?
  var challenge: JSONDraft?
  var origin: JSONDraft?
  var crossOrigin: JSONDraft? = .bool(false)
  var topOrigin: JSONDraft?

  /// What stands behind the members of the standard.
  var more: [(name: String, value: JSONDraft)] = []

  init(type: String, challenge: [UInt8], origin: String) {
    self.type = .string(type)
    self.challenge = .bytes(challenge)
    self.origin = .string(origin)
  }

  /// The members in the order of §5.8.1.1.
  var bytes: [UInt8] {
    JSON.writeObject { (object) in
      if let type { type.write(as: "type", into: &object) }
      if let challenge { challenge.write(as: "challenge", into: &object) }
      if let origin { origin.write(as: "origin", into: &object) }
      if let crossOrigin { crossOrigin.write(as: "crossOrigin", into: &object) }
      if let topOrigin { topOrigin.write(as: "topOrigin", into: &object) }
      for (name, value) in more { value.write(as: name, into: &object) }
    }
  }
}

/// Client data as they are sent.
struct ClientDataBytes: Draft {
  var bytes: [UInt8]
}
