// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

/// A request for a command that has subcommands with their own parameters.
struct SubcommandRequest<Subcommand: RawRepresentable<UInt64>> {
  let subcommand: Subcommand

  /// The subcommand's parameters, empty if the request has none.
  let parameters: CommandParameters

  /// The subcommand's parameters as received. `pinUVAuthParameter` authenticates these exact bytes.
  let encodedParameters: Bytes

  /// Whether the command is a CTAP 2.1 prototype, as sent by clients that predate CTAP 2.1.
  let isPrototype: Bool

  /// The number of the PIN/UV auth protocol.
  let protocolNumber: UInt64?

  /// The authentication tag of the request.
  let pinUVAuthParameter: Bytes?

  /// Reads the members of `command`, using the command's keys.
  ///
  /// - Throws: `CTAP2_ERR_INVALID_SUBCOMMAND` for an unknown subcommand, and the errors of ``CommandParameters``.
  init(_ command: CTAPCommand, _ members: CommandParameters, keys: SubcommandKeys) throws(CTAPError) {
    isPrototype = command.isPrototype
    let number = try members.unsigned(keys.subcommand)
    let parameters = try members.optional(keys.parameters) { (value) throws(WireError) in
      (map: try value.map, encoded: value.encoded)
    }
    self.parameters = CommandParameters(parameters?.map)
    encodedParameters = parameters?.encoded ?? []
    protocolNumber = try members.unsignedIfPresent(keys.pinUVAuthProtocol)
    pinUVAuthParameter = try members.bytesIfPresent(keys.pinUVAuthParameter)
    guard let subcommand = Subcommand(rawValue: number) else {
      throw CTAPError(.invalidSubcommand, "\(command.name ?? "command") \(number)")
    }
    self.subcommand = subcommand
  }

  /// The subcommand's number as authenticated. Every supported number fits into one byte.
  var byte: UInt8 { UInt8(truncatingIfNeeded: subcommand.rawValue) }

  /// Requires a `pinUVAuthParameter`. The standard checks this first.
  func requireAuthentication() throws(CTAPError) {
    guard pinUVAuthParameter != nil else { throw CTAPError(.pinUVAuthTokenRequired) }
  }
}

/// The keys under which a command carries its subcommand, parameters and authentication.
struct SubcommandKeys {
  let subcommand: CBORKey
  let parameters: CBORKey
  let pinUVAuthProtocol: CBORKey
  let pinUVAuthParameter: CBORKey

  /// The keys of §6.8 and §6.11.
  static let standard = Self(subcommand: 1, parameters: 2, pinUVAuthProtocol: 3, pinUVAuthParameter: 4)

  /// The keys of §6.7, where the modality has key 1.
  static let bioEnrollment = Self(subcommand: 2, parameters: 3, pinUVAuthProtocol: 4, pinUVAuthParameter: 5)
}
