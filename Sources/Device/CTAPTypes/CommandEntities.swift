// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
public import WebAuthnTypes

/// The user account of a credential as CTAP encodes it. An authenticator may omit the names.
public struct PasskeyUser: Hashable, Sendable {
  /// The user handle.
  public let id: UserHandle

  /// The account name, such as an email address.
  public var name: String?

  /// The name to display.
  public var displayName: String?

  /// Creates a user.
  public init(id: UserHandle, name: String? = nil, displayName: String? = nil) {
    self.id = id
    self.name = name
    self.displayName = displayName
  }

  package init(_ user: CommandParameters) throws(CTAPError) {
    let handle = try user.bytes("id")
    // WebAuthn Level 3 §5.4.3 requires 1 to 64 bytes, and browsers check that before they call an authenticator.
    id = try mapError(UserHandle(handle)) { (error: FormatError) in CTAPError(.invalidLength, "\(error)") }
    name = try user.textIfPresent("name")
    displayName = try user.textIfPresent("displayName")
  }

  package var tree: CBORTree {
    var user: [CBORKey: CBORTree] = ["id": .bytes([UInt8](id.bytes))]
    user["name"] = name.map { .text($0) }
    user["displayName"] = displayName.map { .text($0) }
    return .map(user)
  }
}

/// The options of makeCredential and getAssertion (CTAP 2.3 §6.1 and §6.2). An option that is nil has the standard's
/// default.
package struct CommandOptions: Hashable, Sendable {
  /// `rk`: whether the new credential must be discoverable.
  package var residentKey: Bool?

  /// `up`: whether the authenticator must test user presence.
  package var userPresence: Bool?

  /// `uv`: whether the authenticator must verify the user by a built-in method.
  package var userVerification: Bool?

  /// Creates options.
  package init(residentKey: Bool? = nil, userPresence: Bool? = nil, userVerification: Bool? = nil) {
    self.residentKey = residentKey
    self.userPresence = userPresence
    self.userVerification = userVerification
  }

  /// Parses the map; unknown options are ignored.
  init(_ options: CommandParameters?) throws(CTAPError) {
    residentKey = try options?.boolIfPresent("rk")
    userPresence = try options?.boolIfPresent("up")
    userVerification = try options?.boolIfPresent("uv")
  }

  /// The options as a CBOR map, or nil if none is set.
  var tree: CBORTree? {
    var options: [CBORKey: CBORTree] = [:]
    options["rk"] = residentKey.map { .bool($0) }
    options["up"] = userPresence.map { .bool($0) }
    options["uv"] = userVerification.map { .bool($0) }
    return options.isEmpty ? nil : .map(options)
  }
}

extension CredentialDescriptor {
  /// Parses a list of descriptors. Skips a descriptor whose ID is empty or longer than 1023 bytes, because no
  /// credential has it.
  static func list(_ maps: [CommandParameters]) throws(CTAPError) -> [CredentialDescriptor] {
    var descriptors: [CredentialDescriptor] = []
    for map in maps {
      let type = CredentialType(rawValue: try map.text("type"))
      let id = try map.bytes("id")
      guard let id = try? CredentialID(id) else { continue }
      descriptors.append(CredentialDescriptor(type: type, id: id))
    }
    return descriptors
  }

  /// The descriptor as a CBOR map, without transports: only the client uses them.
  package var tree: CBORTree { ["id": .bytes([UInt8](id.bytes)), "type": .text(type.rawValue)] }
}
