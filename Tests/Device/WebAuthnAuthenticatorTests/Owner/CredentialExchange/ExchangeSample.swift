// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// Files in the Credential Exchange Format, as other providers write them, and their parts.
enum ExchangeSample {
  static let key = try? SigningKey.generate(.es256, random: .system).pkcs8.withBytes { (bytes) in
    Base64URL.encode(bytes)
  }

  /// The required members of a passkey with their JSON texts.
  private static let members = [
    "type": #""passkey""#, "credentialId": #""AQID""#, "rpId": #""raxx.app""#, "username": #""ada@raxx.app""#,
    "userDisplayName": #""Ada""#, "userHandle": #""YWRh""#, "key": "\"\(key ?? "")\"",
  ]

  /// Returns a passkey with some members changed, or removed if the new text is empty.
  static func passkey(_ changes: [String: String] = [:]) -> String {
    let members = members.merging(changes) { (_, new) in new }.filter { (member) in !member.value.isEmpty }
    return "{" + members.map { (name, value) in "\"\(name)\":\(value)" }.joined(separator: ",") + "}"
  }

  static func extended(_ extensions: String) -> String { passkey(["fido2Extensions": extensions]) }

  static func item(_ credentials: String..., more: String = "") -> String {
    #"{"id":"aXRlbQ","creationAt":1790000000,"modifiedAt":1790000001,"title":"Raxx"\#(more),"credentials":["#
      + credentials.joined(separator: ",") + "]}"
  }

  static func account(_ items: String..., more: String = "") -> String {
    #"{"id":"YWNj","username":"ada","email":"ada@example.com"\#(more),"collections":[],"items":["#
      + items.joined(separator: ",") + "]}"
  }

  static func file(_ accounts: String..., version: String = "1", more: String = "") -> [UInt8] {
    let text =
      #"{"version":{"major":\#(version),"minor":7},"exporterRpId":"vault.example","exporterDisplayName":"Vault","#
      + #""timestamp":1790000002\#(more),"accounts":["# + accounts.joined(separator: ",") + "]}"
    return [UInt8](text.utf8)
  }

  /// Returns the only account of a file with this passkey.
  static func readAccount(_ passkey: String) throws -> CredentialExchangeFile.Account {
    try #require(try CredentialExchangeFile(parsing: file(account(item(passkey)))).accounts.first)
  }

  /// Returns the error of a refused file.
  static func error(_ text: some Collection<UInt8>) -> CredentialExchangeError? {
    do {
      _ = try CredentialExchangeFile(parsing: [UInt8](text))
      return nil
    } catch {
      return error
    }
  }
}
