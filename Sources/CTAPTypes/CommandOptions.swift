// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The options of makeCredential and getAssertion (CTAP 2.3 §6.1 and §6.2); what is not said has the standard's default.
public struct CommandOptions: Hashable, Sendable {
  /// `rk`: the new credential shall be discoverable.
  public var residentKey: Bool?

  /// `up`: somebody shall be there.
  public var userPresence: Bool?

  /// `uv`: the device shall find out who, by a means of its own.
  public var userVerification: Bool?

  /// Says what is given.
  public init(residentKey: Bool? = nil, userPresence: Bool? = nil, userVerification: Bool? = nil) {
    self.residentKey = residentKey
    self.userPresence = userPresence
    self.userVerification = userVerification
  }

  /// Options that are not understood count as absent.
  init(_ options: CommandParameters?) throws(CTAPError) {
    residentKey = try options?.optionalBool("rk")
    userPresence = try options?.optionalBool("up")
    userVerification = try options?.optionalBool("uv")
  }

  /// The map, or nothing where nothing is said.
  var tree: CBORTree? {
    var options: [CBORKey: CBORTree] = [:]
    options["rk"] = residentKey.map { .bool($0) }
    options["up"] = userPresence.map { .bool($0) }
    options["uv"] = userVerification.map { .bool($0) }
    return options.isEmpty ? nil : .map(options)
  }
}
