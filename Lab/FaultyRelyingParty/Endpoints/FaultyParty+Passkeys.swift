// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import WebAuthnTypes

extension FaultyParty {
  func listPasskeys(_ request: EndpointRequest) throws -> EndpointResponse {
    let (_, account) = try signedIn(request)
    return EndpointResponse.json { (body: inout JSONObjectWriter) in
      body.writeArray("credentials") { (list: inout JSONArrayWriter) in
        let others = faults.has("management.list-own") ? passkeys.values.filter { $0.owner != account.handle } : []
        for passkey in passkeys(of: account) + others {
          list.writeObject { (object: inout JSONObjectWriter) in Self.write(passkey, to: &object) }
        }
      }
    }
  }

  func showPasskey(_ request: EndpointRequest) throws -> EndpointResponse {
    let (_, account) = try signedIn(request)
    return Self.response(try ownPasskey(request, account, unless: "management.read-foreign"))
  }

  func renamePasskey(_ request: EndpointRequest) throws -> EndpointResponse {
    let (_, account) = try signedIn(request)
    var passkey = try ownPasskey(request, account, unless: "management.rename-foreign")
    passkey.name = try checkedName(JSONBody(request).string("name", atMost: 65_536))
    passkeys[passkey.id] = passkey
    return Self.response(passkey)
  }

  /// Deletes a passkey, which needs a step-up. It also ends the sessions that the passkey opened.
  func deletePasskey(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, account) = try signedIn(request)
    let passkey = try ownPasskey(request, account, unless: "management.delete-foreign")
    let isOwn = passkey.owner == account.handle
    let allowsLast = faults.has("management.last-passkey") || !isOwn || request.target.queryValue("allowLast") == "true"
    guard passkeys(of: account).count > 1 || allowsLast else { throw Refusal(.conflict, "credential.last") }
    try requireStepUp(request, session, unless: "step-up.delete-credential")
    if faults.has("management.deleted-passkey") {
      passkeys[passkey.id]?.isHidden = true
    } else {
      passkeys[passkey.id] = nil
    }
    if !faults.has("management.delete-ends-sessions") { end { $0.passkey == passkey.id && $0.id != session.id } }
    return .noContent
  }

  /// Returns a name for a passkey; throws if it is long, or if it has characters that are invisible or change the text
  /// around them.
  func checkedName(_ name: String) throws -> String {
    let isPlain = name.unicodeScalars.allSatisfy { (scalar) in
      switch scalar.properties.generalCategory {
      case .control: faults.has("management.name-control")
      case .format: faults.has("management.name-bidi")
      case .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= 64 || faults.has("management.name-long") else {
      throw Refusal(.badRequest, "credential.name")
    }
    return name
  }

  static func write(_ passkey: Passkey, to object: inout JSONObjectWriter) {
    object.write("id", .base64URL(passkey.id))
    object.write("name", passkey.name)
    object.write("aaguid", passkey.aaguid.description)
    object.write("attestation", "none")
    object.writeArray("transports") { (list: inout JSONArrayWriter) in
      for transport in passkey.transports { list.write(transport) }
    }
    object.write("backupEligible", .bool(passkey.isBackupEligible))
    object.write("backedUp", .bool(passkey.isBackedUp))
    object.write("disabled", false)
    object.write("createdAt", passkey.created)
    if let lastUsed = passkey.lastUsed { object.write("lastUsedAt", lastUsed) }
  }

  /// Returns the passkey in the path, if it is the account's.
  private func ownPasskey(_ request: EndpointRequest, _ account: Account, unless fault: String) throws -> Passkey {
    guard let id = request.parameters["id"], let passkey = passkeys[try Base64URL.decode(id)],
      passkey.owner == account.handle || faults.has(fault)
    else { throw Refusal(.notFound, "http.not-found") }
    return passkey
  }

  private static func response(_ passkey: Passkey) -> EndpointResponse {
    EndpointResponse.json { (body: inout JSONObjectWriter) in write(passkey, to: &body) }
  }
}
