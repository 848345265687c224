// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

/// A message to the extension.
package enum BrowserReply: Sendable {
  /// The answer to `hello`: how ceremonies are approved, and the fault of every response, if one is set.
  case ready(approval: String, fault: String?)
  /// A ceremony succeeded; with the response of WebAuthn §5.1 as JSON text.
  case response(id: Int64, [UInt8])
  /// A ceremony failed.
  case failure(id: Int64, CeremonyFailure)
  /// Whether there is a platform authenticator that verifies users.
  case isVerifierAvailable(id: Int64, Bool)
  /// A question for the window.
  case question(number: UInt64, ceremony: Int64, Question)
  /// A cancelled ceremony has ended. The page expects no answer.
  case ended(id: Int64)

  /// The message as JSON text.
  package var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      switch self {
      case .ready(let approval, let fault):
        object.write("type", "ready")
        object.write("approval", approval)
        object.write("fault", fault.map { (fault) in .string(fault) } ?? .null)
      case .response(let id, let response):
        object.write("type", "response")
        object.write("id", .integer(id))
        object.write("response", String(decoding: response, as: UTF8.self))
      case .failure(let id, let failure):
        object.write("type", "failure")
        object.write("id", .integer(id))
        object.writeObject("error") { (error: inout JSONObjectWriter) in
          error.write("name", failure.name)
          error.write("message", failure.message)
        }
        object.write("notice", failure.notice)
      case .isVerifierAvailable(let id, let isAvailable):
        object.write("type", "isUVPAA")
        object.write("id", .integer(id))
        object.write("available", .bool(isAvailable))
      case .question(let number, let ceremony, let question):
        object.write("type", "question")
        object.write("id", .integer(ceremony))
        object.write("question", .integer(number))
        question.write(to: &object)
      case .ended(let id):
        object.write("type", "ended")
        object.write("id", .integer(id))
      }
    }
  }
}

/// Why a ceremony failed.
package struct CeremonyFailure: Sendable {
  /// The name of the exception that the page gets.
  package let name: String

  /// The message that the page gets. It tells nothing about the user or the authenticator (WebAuthn §14.5).
  package let message: String

  /// The reason with its code, for the user.
  package let notice: String

  package init(name: String, message: String, notice: String) {
    self.name = name
    self.message = message
    self.notice = notice
  }
}
