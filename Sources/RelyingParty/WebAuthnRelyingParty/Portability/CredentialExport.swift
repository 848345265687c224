// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// A portable JSON document of credentials: for each one, every item of the standard's credential record (WebAuthn §4)
/// and the user handle.
///
/// ```
/// document   = { "format": "passkey-credentials", "version": 1, "credentials": [credential…] }
/// credential = { "userHandle": bytes, "type": "public-key", "id": bytes, "publicKey": bytes, "signCount": number,
///                "uvInitialized": bool, "transports": [text…], "backupEligible": bool, "backupState": bool,
///                ? "attestationObject": bytes, ? "attestationClientDataJSON": bytes, ? "rpId": text,
///                ? "registered": date and time (RFC 3339) }
/// ```
///
/// Bytes are base64url without padding. The public key is a COSE_Key with the exact bytes from the authenticator. The
/// document contains no secrets, but it contains personal data: which user has which authenticators.
/// ``CredentialImport`` reads it.
public struct CredentialExport: Sendable {
  /// The credentials.
  package let credentials: [StoredCredential]

  /// The value of the document's member `format`.
  package static let format = "passkey-credentials"

  /// The version of the document. It increases when the meaning of a member changes; older versions remain readable.
  package static let version = 1

  /// Creates an export of these credentials.
  public init(_ credentials: [StoredCredential]) {
    self.credentials = credentials
  }

  /// The document as JSON, with one line for each member.
  public var json: [UInt8] {
    JSON.writeObject(.pretty) { document in
      document.write("format", .string(Self.format))
      document.write("version", .integer(Self.version))
      document.writeArray("credentials") { list in
        for credential in credentials { list.writeObject(credential.write) }
      }
    }
  }
}

extension StoredCredential {
  fileprivate func write(into object: inout JSONObjectWriter) {
    object.write("userHandle", .base64URL(user.bytes))
    object.write("type", .string(record.type.rawValue))
    object.write("id", .base64URL(record.id.bytes))
    object.write("publicKey", .base64URL(record.publicKey))
    object.write("signCount", .integer(record.signCount))
    object.write("uvInitialized", .bool(record.uvInitialized))
    object.writeArray("transports") { list in
      for transport in record.transports { list.write(.string(transport.rawValue)) }
    }
    object.write("backupEligible", .bool(record.backupEligible))
    object.write("backupState", .bool(record.backupState))
    if let attestationObject = record.attestationObject {
      object.write("attestationObject", .base64URL(attestationObject))
    }
    if let clientData = record.attestationClientDataJSON {
      object.write("attestationClientDataJSON", .base64URL(clientData))
    }
    if let registered = record.registered?.rfc3339 { object.write("registered", .string(registered)) }
    if let relyingPartyID = record.relyingPartyID { object.write("rpId", .string(relyingPartyID.text)) }
  }
}
