// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

// The last stages of making an attestation (WebAuthn §6.5).

/// An attestation statement, before it is part of the attestation object or a compound statement.
package struct StatementDraft: Draft {
  package var format: AttestationFormat
  package var statement: CBORTree

  package init(format: AttestationFormat, statement: CBORTree) {
    (self.format, self.statement) = (format, statement)
  }

  /// A member of a statement that is a map.
  package subscript(name: CBORKey) -> CBORTree? {
    get {
      if case .map(let members) = statement { members[name] } else { nil }
    }
    set {
      guard case .map(var members) = statement else { return }
      members[name] = newValue
      statement = .map(members)
    }
  }

  /// The certificates of the member x5c.
  package var certificates: [[UInt8]] {
    get {
      guard case .array(let items)? = self["x5c"] else { return [] }
      return items.compactMap { if case .bytes(let certificate) = $0 { certificate } else { nil } }
    }
    set {
      self["x5c"] = .array(newValue.map { .bytes($0) })
    }
  }

  /// The member sig.
  package var signature: [UInt8] {
    get {
      if case .bytes(let signature)? = self["sig"] { signature } else { [] }
    }
    set {
      self["sig"] = .bytes(newValue)
    }
  }
}

/// The members of an attestation object.
package struct AttestationObjectDraft: Draft {
  package var members: [CBORKey: CBORTree]

  package init(members: [CBORKey: CBORTree]) {
    self.members = members
  }

  package var bytes: [UInt8] { CBORWriter.bytes(of: .map(members)) }
}

/// The bytes of an attestation object.
package struct AttestationObjectBytes: Draft {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}
