// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// The members of client data (WebAuthn §5.8.1). A member that is nil is not written.
package struct ClientDataDraft: Draft {
  package var type: JSONDraft?
  package var challenge: JSONDraft?
  package var origin: JSONDraft?
  package var crossOrigin: JSONDraft? = .bool(false)
  package var topOrigin: JSONDraft?

  /// Additional members, written last.
  package var more: [(name: String, value: JSONDraft)] = []

  package init(type: String, challenge: [UInt8], origin: String) {
    self.type = .string(type)
    self.challenge = .bytes(challenge)
    self.origin = .string(origin)
  }

  /// The members in the order of §5.8.1.1.
  package var bytes: [UInt8] {
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

/// The bytes of client data.
package struct ClientDataBytes: Draft {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// The parts of authenticator data (WebAuthn §6.1).
package struct AuthenticatorDataDraft: Draft {
  package var relyingPartyIDHash: [UInt8]
  /// The flags. `bytes` adds AT and ED where the credential and extensions are present.
  package var flags: AuthenticatorFlags
  package var signCount: UInt32
  package var credential: Credential?
  package var extensions: CBORTree?

  package init(
    relyingPartyIDHash: [UInt8], flags: AuthenticatorFlags, signCount: UInt32, credential: Credential? = nil
  ) {
    self.relyingPartyIDHash = relyingPartyIDHash
    self.flags = flags
    self.signCount = signCount
    self.credential = credential
  }

  /// The attested credential data (§6.5.1).
  package struct Credential: Hashable, Sendable {
    package var aaguid: AAGUID
    package var id: [UInt8]
    /// A COSE_Key.
    package var publicKey: CBORTree

    package init(aaguid: AAGUID, id: [UInt8], publicKey: CBORTree) {
      (self.aaguid, self.id, self.publicKey) = (aaguid, id, publicKey)
    }
  }

  package var bytes: [UInt8] {
    var flags = flags
    if credential != nil { flags.insert(.attestedCredentialData) }
    if extensions != nil { flags.insert(.extensionData) }
    var writer = ByteWriter()
    writer.write(relyingPartyIDHash)
    writer.write(flags.rawValue)
    writer.write(signCount)
    if let credential {
      writer.write(credential.aaguid.bytes)
      writer.write(UInt16(clamping: credential.id.count))
      writer.write(credential.id)
      writer.write(CBORWriter.bytes(of: credential.publicKey))
    }
    if let extensions { writer.write(CBORWriter.bytes(of: extensions)) }
    return writer.bytes
  }
}

/// The bytes of authenticator data. Faults here happen after the signature was made.
package struct AuthenticatorDataBytes: Draft {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// The message and key of an assertion's signature.
package struct SigningDraft: Draft {
  package var key: SigningKey
  package var message: [UInt8]

  package init(key: SigningKey, message: [UInt8]) {
    (self.key, self.message) = (key, message)
  }
}

/// The bytes of an assertion's signature.
package struct SignatureBytes: Draft {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// The members of a response (WebAuthn §5.1).
package struct ResponseDraft: Draft {
  package var id: JSONDraft?
  package var rawID: JSONDraft?
  package var type: JSONDraft? = .string("public-key")
  /// The members of `response`, which differ between the ceremonies.
  package var response: [JSONDraft.Member]
  package var clientExtensionResults: JSONDraft? = .object([])
  package var authenticatorAttachment: JSONDraft?

  package init(id: [UInt8], response: [JSONDraft.Member]) {
    self.id = .bytes(id)
    rawID = .bytes(id)
    self.response = response
  }

  /// Sets both `id` and `rawId`.
  package mutating func setID(_ id: [UInt8]) {
    self.id = .bytes(id)
    rawID = .bytes(id)
  }

  /// A member of `response`.
  package subscript(name: String) -> JSONDraft? {
    get {
      response.first { $0.name == name }?.value
    }
    set {
      let index = response.firstIndex { $0.name == name } ?? response.endIndex
      response.removeAll { $0.name == name }
      if let newValue { response.insert(.init(name: name, value: newValue), at: index) }
    }
  }

  package var json: JSONDraft {
    var members: [JSONDraft.Member] = []
    func add(_ name: String, _ value: JSONDraft?) {
      if let value { members.append(.init(name: name, value: value)) }
    }
    add("id", id)
    add("rawId", rawID)
    add("type", type)
    add("authenticatorAttachment", authenticatorAttachment)
    add("response", .object(response))
    add("clientExtensionResults", clientExtensionResults)
    return .object(members)
  }
}

/// The JSON value that the server receives as the response.
package struct ResponseJSON: Draft {
  package var json: JSONDraft

  package init(json: JSONDraft) {
    self.json = json
  }
}
