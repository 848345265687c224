// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes
internal import WireFormats

/// A request for a command that has subcommands with their own parameters.
struct SubcommandRequest {
  /// The subcommand's number.
  let number: UInt64

  /// The subcommand's parameters, empty if the request has none.
  let parameters: CommandParameters

  /// The subcommand's parameters as received. pinUvAuthParam authenticates these exact bytes.
  let encodedParameters: Bytes

  /// Whether the command is a CTAP 2.1 prototype, as sent by clients that predate CTAP 2.1.
  let isPrototype: Bool

  /// The number of the PIN/UV auth protocol.
  let protocolNumber: UInt64?

  /// The authentication tag of the request (`pinUvAuthParam`).
  let pinUvAuthParam: Bytes?

  /// Reads the members of `command`, using the command's keys.
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

  /// The subcommand's number as authenticated. Every supported number fits into one byte.
  var byte: UInt8 { UInt8(truncatingIfNeeded: number) }

  /// Requires a pinUvAuthParam. The standard checks this first.
  func requireAuthentication() throws(CTAPError) {
    guard pinUvAuthParam != nil else { throw CTAPError(.pinUVAuthTokenRequired) }
  }
}

/// The keys under which a command carries its subcommand, parameters and authentication.
struct SubcommandKeys {
  let subcommand: CBORKey
  let subcommandParams: CBORKey
  let pinUvAuthProtocol: CBORKey
  let pinUvAuthParam: CBORKey

  /// The keys of §6.8 and §6.11.
  static let usual = Self(subcommand: 1, subcommandParams: 2, pinUvAuthProtocol: 3, pinUvAuthParam: 4)

  /// The keys of §6.7, where the modality has key 1.
  static let bioEnrollment = Self(subcommand: 2, subcommandParams: 3, pinUvAuthProtocol: 4, pinUvAuthParam: 5)
}
