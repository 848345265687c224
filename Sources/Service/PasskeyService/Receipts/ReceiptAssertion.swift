// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// The signed bytes of a confirmation, their signature, and the key that verifies it.
package struct ReceiptAssertion: Hashable, Sendable {
  /// The public key, a COSE_Key.
  package let publicKey: Bytes

  /// The client data.
  package let clientDataJSON: Bytes

  /// The authenticator data.
  package let authenticatorData: Bytes

  /// The signature.
  package let signature: Bytes

  /// Creates an assertion from its parts.
  package init(
    publicKey: some ByteSource, clientDataJSON: some ByteSource, authenticatorData: some ByteSource,
    signature: some ByteSource
  ) {
    self.publicKey = publicKey.slice
    self.clientDataJSON = clientDataJSON.slice
    self.authenticatorData = authenticatorData.slice
    self.signature = signature.slice
  }

  /// Creates the assertion of a response.
  package init(_ response: AuthenticationResponse, publicKey: some ByteSource) {
    self.init(
      publicKey: publicKey, clientDataJSON: response.clientDataJSON, authenticatorData: response.authenticatorData,
      signature: response.signature)
  }

  /// SHA-256 of the SHA-256 hashes of the four parts. The record of the confirmation contains it, so the log vouches for the
  /// key, and no second assertion can take the place of this one.
  package var digest: [UInt8] {
    Digest.sha256([publicKey, clientDataJSON, authenticatorData, signature].flatMap { (part) in Digest.sha256(part) })
  }
}

/// The parts of a receipt that the service knows when it confirms an action. It keeps only the record.
package struct ConfirmationEvidence: Hashable, Sendable {
  /// The verified assertion.
  package let assertion: ReceiptAssertion

  /// The record of the confirmation.
  package let record: AuditRecordID

  /// The account that confirmed.
  package let account: UserHandle
}
