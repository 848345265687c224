// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import WebAuthnTypes

/// The JSON that native clients make of a platform's passkey objects: without `clientExtensionResults`,
/// `authenticatorAttachment` and `transports`.
enum NativeResponse {
  /// How a client writes the user handle of an assertion.
  enum Handle: String {
    case present = "userHandle"
    case absent = "no-userHandle"
    case null = "null-userHandle"
    case empty = "empty-userHandle"

    struct Unknown: Error {
      let word: String
    }

    init(_ word: String) throws {
      guard let handle = Self(rawValue: word) else { throw Unknown(word: word) }
      self = handle
    }
  }

  static func json(_ response: RegistrationResponse) -> String {
    json(response.id) { (object) in
      object.write("clientDataJSON", .base64URL(response.clientDataJSON))
      object.write("attestationObject", .base64URL(response.attestationObject))
    }
  }

  static func json(_ response: AuthenticationResponse, handle: Handle) -> String {
    json(response.id) { (object) in
      object.write("clientDataJSON", .base64URL(response.clientDataJSON))
      object.write("authenticatorData", .base64URL(response.authenticatorData))
      object.write("signature", .base64URL(response.signature))
      switch handle {
      case .present: if let handle = response.userHandle { object.write("userHandle", .base64URL(handle.bytes)) }
      case .absent: break
      case .null: object.write("userHandle", .null)
      case .empty: object.write("userHandle", "")
      }
    }
  }

  private static func json(_ id: CredentialID, _ response: (inout JSONObjectWriter) -> Void) -> String {
    let text = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("id", .base64URL(id.bytes))
      object.write("rawId", .base64URL(id.bytes))
      object.write("type", "public-key")
      object.writeObject("response", response)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
