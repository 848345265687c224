// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension AuthenticatorData {
  /// Puts authenticator data together. The flags AT and ED are set where what they announce is there, and only then.
  public init(
    relyingPartyIDHash: Bytes, flags: AuthenticatorFlags, signCount: UInt32,
    attestedCredentialData: AttestedCredentialData? = nil, extensions: CBORTree? = nil
  ) throws(FormatError) {
    var flags = flags.subtracting([.attestedCredentialData, .extensionData])
    if attestedCredentialData != nil { flags.insert(.attestedCredentialData) }
    if extensions != nil { flags.insert(.extensionData) }
    var writer = ByteWriter(capacity: 256)
    writer.write(relyingPartyIDHash)
    writer.write(flags.rawValue)
    writer.write(signCount)
    if let credential = attestedCredentialData {
      guard let length = UInt16(exactly: credential.credentialID.count) else {
        throw FormatError(.credentialIDInvalidLength, at: credential.credentialID.startIndex)
      }
      writer.write(credential.aaguid.bytes)
      writer.write(length)
      writer.write(credential.credentialID)
      writer.write(credential.credentialPublicKey)
    }
    if let extensions { writer.write(CBORWriter.bytes(of: extensions)) }
    // Whatever was given in a wrong form is found by reading.
    try self.init(parsing: writer.bytes[...])
  }
}
