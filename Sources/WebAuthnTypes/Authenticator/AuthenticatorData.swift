// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What an authenticator signs about itself and a credential (WebAuthn §6.1), read whole: not a byte is left over.
///
/// The parts are slices of the original bytes, which are kept: a signature covers bytes, not values.
public struct AuthenticatorData: Sendable {
  /// The bytes as they came.
  public let encoded: Bytes

  /// SHA-256 of the RP ID.
  public let relyingPartyIDHash: Bytes

  /// The flags.
  public let flags: AuthenticatorFlags

  /// The signature counter.
  public let signCount: UInt32

  /// What a new credential is, where the AT flag says that it stands here.
  public let attestedCredentialData: AttestedCredentialData?

  /// The map of extension outputs, where the ED flag says that it stands here.
  public let extensions: CBORMap?

  /// The length of the hash of an RP ID.
  public static let relyingPartyIDHashByteCount = 32

  /// Reads authenticator data that are all of `bytes`.
  public init(parsing bytes: Bytes) throws(FormatError) {
    var reader = AuthenticatorDataReader(bytes)
    let relyingPartyIDHash = try reader.read(Self.relyingPartyIDHashByteCount)
    let flags = try reader.readFlags()
    let signCount = try reader.readSignCount()
    let credential = flags.contains(.attestedCredentialData) ? try reader.readAttestedCredentialData() : nil
    let extensions = flags.contains(.extensionData) ? try reader.readExtensions() : nil
    try reader.finish()

    encoded = bytes
    self.relyingPartyIDHash = relyingPartyIDHash
    self.flags = flags
    self.signCount = signCount
    attestedCredentialData = credential
    self.extensions = extensions
  }
}
