// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnInspection
internal import WebAuthnTypes
internal import WireFormats

/// The members of client data (WebAuthn §5.8.1). A member that is nil is not written.
struct ClientDataDraft: Draft {
  var type: JSONDraft?
  var challenge: JSONDraft?
  var origin: JSONDraft?
  var crossOrigin: JSONDraft? = .bool(false)
  var topOrigin: JSONDraft?

  /// Additional members, written last.
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

/// The bytes of client data.
struct ClientDataBytes: Draft {
  var bytes: [UInt8]
}

/// The parts of authenticator data (WebAuthn §6.1).
struct AuthenticatorDataDraft: Draft {
  var relyingPartyIDHash: [UInt8]
  /// The flags. `bytes` adds AT and ED where the credential and extensions are present.
  var flags: AuthenticatorFlags
  var signCount: UInt32
  var credential: Credential?
  var extensions: CBORTree?

  /// The attested credential data (§6.5.1).
  struct Credential: Hashable, Sendable {
    var aaguid: AAGUID
    var id: [UInt8]
    /// A COSE_Key.
    var publicKey: CBORTree
  }

  var bytes: [UInt8] {
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
struct AuthenticatorDataBytes: Draft {
  var bytes: [UInt8]
}

/// The message and key of an assertion's signature.
struct SigningDraft: Draft {
  var key: SigningKey
  var message: [UInt8]
}

/// The bytes of an assertion's signature.
struct SignatureBytes: Draft {
  var bytes: [UInt8]
}

/// The members of a response (WebAuthn §5.1).
struct ResponseDraft: Draft {
  var id: JSONDraft?
  var rawID: JSONDraft?
  var type: JSONDraft? = .string("public-key")
  /// The members of `response`, which differ between the ceremonies.
  var response: [JSONDraft.Member]
  var clientExtensionResults: JSONDraft? = .object([])
  var authenticatorAttachment: JSONDraft?

  init(id: [UInt8], response: [JSONDraft.Member]) {
    self.id = .bytes(id)
    rawID = .bytes(id)
    self.response = response
  }

  /// Sets both `id` and `rawId`.
  mutating func setID(_ id: [UInt8]) {
    self.id = .bytes(id)
    rawID = .bytes(id)
  }

  /// A member of `response`.
  subscript(name: String) -> JSONDraft? {
    get {
      response.first { $0.name == name }?.value
    }
    set {
      let index = response.firstIndex { $0.name == name } ?? response.endIndex
      response.removeAll { $0.name == name }
      if let newValue { response.insert(.init(name: name, value: newValue), at: index) }
    }
  }

  var json: JSONDraft {
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
struct ResponseJSON: Draft {
  var json: JSONDraft
}
