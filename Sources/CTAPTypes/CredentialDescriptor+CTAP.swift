// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes
package import WireFormats

extension CredentialDescriptor {
  /// Reads a list of descriptors. One with an id that no credential can have names none, and is left out.
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

  /// The map as CTAP has it: transports help only the client.
  package var tree: CBORTree { ["id": .bytes([UInt8](id.bytes)), "type": .text(type.rawValue)] }
}
