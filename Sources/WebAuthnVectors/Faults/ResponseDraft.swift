// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnInspection

/// A response as a client hands it over (WebAuthn §5.1), member by member.
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

  /// Names another credential, in both places.
  mutating func rename(_ id: [UInt8]) {
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

/// What the server is sent in place of a response.
struct ResponseJSON: Draft {
  var json: JSONDraft
}
