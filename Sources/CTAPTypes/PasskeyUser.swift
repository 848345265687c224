// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
package import WireFormats

/// Whom a credential is for, as CTAP tells it: a device may leave out the names.
public struct PasskeyUser: Hashable, Sendable {
  /// The user handle.
  public let id: UserHandle

  /// The name that tells accounts apart.
  public var name: String?

  /// The name to be called by.
  public var displayName: String?

  /// Names a user.
  public init(id: UserHandle, name: String? = nil, displayName: String? = nil) {
    self.id = id
    self.name = name
    self.displayName = displayName
  }

  package init(_ user: CommandParameters) throws(CTAPError) {
    let handle = try user.bytes("id")
    do throws(FormatError) {
      id = try UserHandle(handle)
    } catch {
      throw CTAPError(.invalidLength, "\(error)")
    }
    name = try user.optionalText("name")
    displayName = try user.optionalText("displayName")
  }

  package var tree: CBORTree {
    var user: [CBORKey: CBORTree] = ["id": .bytes([UInt8](id.bytes))]
    user["name"] = name.map { .text($0) }
    user["displayName"] = displayName.map { .text($0) }
    return .map(user)
  }
}
