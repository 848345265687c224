// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

extension Question {
  /// Writes the members of the question.
  func write(to object: inout JSONObjectWriter) {
    object.write("origin", origin.text)
    object.write("isEmbedded", .bool(isCrossOrigin))
    object.write("rpId", relyingPartyID.map { (id) in .string(id) } ?? .null)
    func write(_ kind: String, user: String?) {
      object.write("kind", kind)
      object.write("user", user.map { (user) in .string(user) } ?? .null)
    }
    switch kind {
    case .create(let user): write("create", user: user)
    case .signIn(let user): write("signIn", user: user)
    case .revealExisting: write("revealExisting", user: nil)
    case .choose(let users):
      object.write("kind", "choose")
      object.writeArray("users") { (list: inout JSONArrayWriter) in
        for user in users {
          list.writeObject { (entry: inout JSONObjectWriter) in
            entry.write("name", user.name.map { (name) in .string(name) } ?? .null)
            entry.write("displayName", user.displayName.map { (name) in .string(name) } ?? .null)
            entry.write("userHandle", .base64URL(user.id.bytes))
          }
        }
      }
    case .pin(let attemptsLeft):
      object.write("kind", "pin")
      object.write("attemptsLeft", attemptsLeft.map { (count) in .integer(count) } ?? .null)
    }
  }
}

extension Question {
  /// Parses a question as ``write(to:)`` writes it.
  ///
  /// - Throws: `browser-host.message-malformed`.
  init(parsing message: Bytes) throws(BrowserError) {
    do throws(WireError) {
      self = try Question(JSON.parse(message, maximumSize: NativeMessages.maximumOutgoingByteCount))
    } catch {
      throw BrowserError(.messageMalformed, "question: \(error)")
    }
  }

  private init(_ json: JSONValue) throws(WireError) {
    let origin = try json.require("origin")
    guard let origin = try? WebOrigin(origin.string) else { throw WireError(.jsonWrongType, at: origin.offset) }
    self.init(
      kind: try Kind(json), origin: origin, isCrossOrigin: try json.require("isEmbedded").bool,
      relyingPartyID: try json.require("rpId").unlessNull?.string)
  }
}

extension Question.Kind {
  fileprivate init(_ json: JSONValue) throws(WireError) {
    let kind = try json.require("kind")
    switch try kind.string {
    case "create": self = .create(user: try json.require("user").unlessNull?.string)
    case "signIn": self = .signIn(user: try json.require("user").unlessNull?.string)
    case "revealExisting": self = .revealExisting
    case "choose":
      self = .choose(
        try json.require("users").elements { (user) throws(WireError) in
          let handle = try user.require("userHandle")
          guard let id = try? UserHandle(handle.base64URL[...]) else {
            throw WireError(.jsonWrongType, at: handle.offset)
          }
          return PasskeyUser(
            id: id, name: try user.require("name").unlessNull?.string,
            displayName: try user.require("displayName").unlessNull?.string)
        })
    case "pin":
      self = .pin(attemptsLeft: try json.require("attemptsLeft").unlessNull?.uint64)
    default: throw WireError(.jsonWrongType, at: kind.offset)
    }
  }
}
