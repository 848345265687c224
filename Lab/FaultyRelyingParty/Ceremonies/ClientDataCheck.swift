// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import WebAuthnTypes

/// The checks of client data, which both ceremonies make. A refusal has the ID of the fault that omits it.
struct ClientDataCheck {
  let faults: Faults
  let origin: String
  /// `registration` or `authentication`.
  let group: String

  func verify(_ clientData: ClientData, is type: ClientDataType) throws {
    let isOther = clientData.type == (type == .get ? .create : .get)
    try require(clientData.type == type, isOther ? "type-other" : "type-unknown")
    try require(clientData.origin.utf8.elementsEqual(origin.utf8), "origin-\(difference(of: clientData.origin))")
    try require(clientData.crossOrigin != true, "cross-origin")
    try require(clientData.topOrigin == nil, "top-origin")
  }

  /// Ignores the outputs of extensions that the options do not ask for.
  func ignoreExtensions(of data: AuthenticatorData) throws {
    guard data.extensions != nil, faults.has("\(group).extension-unsolicited") else { return }
    throw Refusal(.internalServerError, "server.failed")
  }

  /// Ignores the member `tokenBinding`, which Level 3 does not have.
  func ignoreTokenBinding(in clientDataJSON: Bytes) throws {
    guard faults.has("\(group).token-binding"), clientDataJSON.contains("\"tokenBinding\"".utf8) else { return }
    throw Refusal(.internalServerError, "server.failed")
  }

  func require(_ holds: Bool, _ name: String) throws {
    guard !holds, !faults.has("\(group).\(name)") else { return }
    throw Refusal(group == "registration" ? .badRequest : .unauthorized, "\(group).\(name)")
  }

  /// How another origin differs from the relying party's, as the end of a fault's ID.
  private func difference(of other: String) -> String {
    let scheme = origin.prefix { $0 != ":" }
    let authority = origin.dropFirst(scheme.count + 3)
    let host = authority.prefix { $0 != ":" }
    if other == "null" { return "opaque" }
    if other == "\(origin)/" { return "slash" }
    if other.hasPrefix("\(scheme)://\(host).") { return "prefix" }
    if other.hasSuffix(".\(authority)") { return "subdomain" }
    if other.hasSuffix("://\(authority)") { return "scheme" }
    if other.hasSuffix(authority) { return "suffix" }
    if other.hasPrefix("\(scheme)://\(host):") { return "port" }
    return "other-site"
  }
}
