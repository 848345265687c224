// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The subcommands of authenticatorCredentialManagement (CTAP 2.3 §6.8).
enum CredentialManagementSubcommand: UInt64 {
  case getCredsMetadata = 0x01
  case enumerateRPsBegin = 0x02
  case enumerateRPsGetNextRP = 0x03
  case enumerateCredentialsBegin = 0x04
  case enumerateCredentialsGetNextCredential = 0x05
  case deleteCredential = 0x06
  case updateUserInformation = 0x07
}

typealias CredentialManagementRequest = SubcommandRequest<CredentialManagementSubcommand>

/// The keys of the subcommand parameters.
enum CredentialManagementKey {
  static let relyingPartyIDHash: CBORKey = 0x01
  static let credentialID: CBORKey = 0x02
  static let user: CBORKey = 0x03
}

/// The response keys of authenticatorCredentialManagement.
enum CredentialManagementReplyKey {
  static let existingCredentialCount: CBORKey = 0x01
  static let remainingCredentialCount: CBORKey = 0x02
  static let relyingParty: CBORKey = 0x03
  static let relyingPartyIDHash: CBORKey = 0x04
  static let relyingPartyCount: CBORKey = 0x05
  static let user: CBORKey = 0x06
  static let credentialID: CBORKey = 0x07
  static let publicKey: CBORKey = 0x08
  static let credentialCount: CBORKey = 0x09
  static let protection: CBORKey = 0x0a
  static let largeBlobKey: CBORKey = 0x0b
  static let thirdPartyPayment: CBORKey = 0x0c
}
