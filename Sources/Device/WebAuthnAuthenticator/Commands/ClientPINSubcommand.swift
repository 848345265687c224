// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The subcommands of authenticatorClientPIN (CTAP 2.3 §6.5.5).
enum ClientPINSubcommand: UInt64 {
  case getPINRetries = 0x01
  case getKeyAgreement = 0x02
  case setPIN = 0x03
  case changePIN = 0x04
  case getPINToken = 0x05
  case getTokenUsingFinger = 0x06
  case getFingerRetries = 0x07
  case getTokenUsingPIN = 0x09
}

/// The parameter keys of authenticatorClientPIN.
enum ClientPINKey {
  static let pinUVAuthProtocol: CBORKey = 0x01
  static let subcommand: CBORKey = 0x02
  static let keyAgreement: CBORKey = 0x03
  static let pinUVAuthParameter: CBORKey = 0x04
  static let newPINEnc: CBORKey = 0x05
  static let pinHashEnc: CBORKey = 0x06
  static let permissions: CBORKey = 0x09
  static let relyingPartyID: CBORKey = 0x0a
}

/// The response keys of authenticatorClientPIN.
enum ClientPINReplyKey {
  static let keyAgreement: CBORKey = 0x01
  static let pinUVAuthToken: CBORKey = 0x02
  static let pinRetries: CBORKey = 0x03
  static let powerCycleState: CBORKey = 0x04
  static let fingerRetries: CBORKey = 0x05
}
