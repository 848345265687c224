// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyFormats

/// An accepted credential type and algorithm (`PublicKeyCredentialParameters`, WebAuthn §5.3).
@usableFromInline package struct CredentialParameters: Hashable, Sendable {
  /// The type of the credential.
  package var type: CredentialType

  /// The algorithm of the key.
  package var algorithm: COSEAlgorithm

  /// Creates parameters.
  package init(type: CredentialType = .publicKey, algorithm: COSEAlgorithm) {
    self.type = type
    self.algorithm = algorithm
  }

  init<Reader: MessageReader>(_ members: Reader) throws(Reader.Failure) {
    type = CredentialType(rawValue: try members.text("type"))
    guard let number = try members.integerIfPresent("alg") else { throw members.missing("alg") }
    algorithm = COSEAlgorithm(rawValue: number)
  }

  func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("type", text: type.rawValue)
    try writer.write("alg", integer: algorithm.rawValue)
  }
}
