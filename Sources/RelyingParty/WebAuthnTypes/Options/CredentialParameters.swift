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

  init(_ members: JSONMemberReader) throws(FormatError) {
    type = CredentialType(rawValue: try members.text("type"))
    guard let number = try members.integerIfPresent("alg") else { throw members.missing("alg") }
    algorithm = COSEAlgorithm(rawValue: number)
  }

  func write(into writer: inout JSONObjectWriter) {
    writer.write("type", type.rawValue)
    writer.write("alg", .integer(algorithm.rawValue))
  }
}
