// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats

/// A message of the extension.
package enum BrowserRequest: Sendable {
  /// The first message of a connection.
  case hello
  /// A page creates a credential. The details are the options as the browser serialized them.
  case create(id: Int64, details: [UInt8])
  /// A page signs in.
  case get(id: Int64, details: [UInt8])
  /// A page asks whether there is a platform authenticator that verifies users.
  case isVerifierAvailable(id: Int64)
  /// The page, or the user, cancelled a ceremony.
  case cancel(id: Int64)
  /// The user answered a question in the window.
  case answer(question: UInt64, QuestionAnswer)

  /// Parses a message.
  ///
  /// - Throws: `browser-host.message-malformed`.
  package init(parsing message: Bytes) throws(BrowserError) {
    do throws(WireError) {
      let json = try JSON.parse(message, maximumSize: NativeMessages.maximumIncomingByteCount)
      let type = try json.require("type").string
      switch type {
      case "hello": self = .hello
      case "create": self = .create(id: try Self.id(json), details: try Self.details(json))
      case "get": self = .get(id: try Self.id(json), details: try Self.details(json))
      case "isUVPAA": self = .isVerifierAvailable(id: try Self.id(json))
      case "cancel": self = .cancel(id: try Self.id(json))
      case "answer":
        self = .answer(question: try json.require("question").uint64, try QuestionAnswer(json.require("answer")))
      default: throw WireError(.jsonWrongType, at: json.offset)
      }
    } catch {
      throw BrowserError(.messageMalformed, "\(error)")
    }
  }

  /// The message that carries an answer; it may contain a PIN.
  static func message(answering question: UInt64, _ answer: QuestionAnswer) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("type", "answer")
      object.write("question", .integer(question))
      switch answer {
      case .approved: object.write("answer", "approve")
      case .refused, .cancelled: object.write("answer", "refuse")
      case .chosen(let index):
        object.writeObject("answer") { (choice: inout JSONObjectWriter) in choice.write("choice", .integer(index)) }
      case .pin(let pin):
        object.writeObject("answer") { (answer: inout JSONObjectWriter) in
          pin.withBytes { (pin) in answer.write("pin", String(decoding: pin, as: UTF8.self)) }
        }
      }
    }
  }

  private static func id(_ json: JSONValue) throws(WireError) -> Int64 { try json.require("id").int64 }

  private static func details(_ json: JSONValue) throws(WireError) -> [UInt8] {
    Array(try json.require("details").utf8)
  }
}

/// An answer to a question.
package enum QuestionAnswer: Sendable {
  case approved
  case refused
  /// The index of the chosen passkey.
  case chosen(Int)
  case pin(SecretBytes)
  /// The ceremony was cancelled before the user answered.
  case cancelled

  fileprivate init(_ json: JSONValue) throws(WireError) {
    switch json.kind {
    case .string:
      switch try json.string {
      case "approve": self = .approved
      case "refuse": self = .refused
      default: throw WireError(.jsonWrongType, at: json.offset)
      }
    default:
      if let index = try json["choice"] {
        self = .chosen(try index.integer())
      } else {
        self = .pin(SecretBytes(try json.require("pin").utf8))
      }
    }
  }
}
