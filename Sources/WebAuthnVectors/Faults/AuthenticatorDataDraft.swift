// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// What an authenticator says about itself and a credential, part by part, before it is written (WebAuthn §6.1).
struct AuthenticatorDataDraft: Draft {
  var relyingPartyIDHash: [UInt8]
  /// AT and ED besides, where the parts that they stand for are there.
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

/// Authenticator data as they are sent: spoilt on the way, after what was signed was signed.
struct AuthenticatorDataBytes: Draft {
  var bytes: [UInt8]
}
