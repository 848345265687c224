// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes
internal import WireFormats

/// A command with subcommands that have parameters of their own.
struct SubcommandRequest {
  /// The subcommand's number.
  let number: UInt64

  /// The subcommand's parameters; none where no map was sent.
  let parameters: CommandParameters

  /// The same as they came: so they are authenticated, byte for byte.
  let encodedParameters: Bytes

  /// Whether the command is one of the prototypes of CTAP 2.1, which clients of CTAP 2.0 age send.
  let isPrototype: Bool

  /// The number of the PIN/UV auth protocol.
  let protocolNumber: UInt64?

  /// What the platform authenticated the request with.
  let pinUvAuthParam: Bytes?

  /// Reads the parameters of `command`, whose four members stand with `keys`.
  init(_ command: CTAPCommand, _ members: CommandParameters, keys: SubcommandKeys) throws(CTAPError) {
    isPrototype = command.isPrototype
    number = try members.unsigned(keys.subcommand)
    encodedParameters =
      try members.optional(keys.subcommandParams) { (value) throws(WireError) in
        _ = try value.map
        return value.encoded
      } ?? []
    parameters = try CommandParameters(parsing: encodedParameters)
    protocolNumber = try members.optionalUnsigned(keys.pinUvAuthProtocol)
    pinUvAuthParam = try members.optionalBytes(keys.pinUvAuthParam)
  }

  /// The subcommand's number as it is authenticated. It is a byte, where it is one that there is.
  var byte: UInt8 { UInt8(truncatingIfNeeded: number) }

  /// Demands that the request is authenticated at all: the standard has this first.
  func requireAuthentication() throws(CTAPError) {
    guard pinUvAuthParam != nil else { throw CTAPError(.pinUVAuthTokenRequired) }
  }
}

/// Where a command has what belongs to its subcommands.
struct SubcommandKeys {
  let subcommand: CBORKey
  let subcommandParams: CBORKey
  let pinUvAuthProtocol: CBORKey
  let pinUvAuthParam: CBORKey

  /// §6.8 and §6.11.
  static let usual = Self(subcommand: 1, subcommandParams: 2, pinUvAuthProtocol: 3, pinUvAuthParam: 4)

  /// §6.7, which has the modality first.
  static let bioEnrollment = Self(subcommand: 2, subcommandParams: 3, pinUvAuthProtocol: 4, pinUvAuthParam: 5)
}
