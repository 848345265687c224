// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import WebAuthnTypes

/// Reads an account. A credential id may occur in it once.
struct CredentialExchangeReader {
  private var ids: Set<CredentialID> = []

  static func account(_ value: JSONValue) throws(WireError) -> CredentialExchangeFile.Account {
    var account = CredentialExchangeFile.Account(
      id: text("id", of: value), userName: text("username", of: value), email: text("email", of: value))
    var reader = Self()
    for item in try value.require("items").array { try reader.readItem(item, of: &account) }
    account.leftOutMembers.addMembers(
      of: value, except: ["id", "username", "email", "fullName", "items"], as: "account")
    return account
  }

  private mutating func readItem(
    _ item: JSONValue, of account: inout CredentialExchangeFile.Account
  ) throws(WireError) {
    let title = Self.text("title", of: item)
    let created = (try? item["creationAt"]?.int64).map(UnixTime.init(secondsSince1970:))
    let (algorithm, hasNoOtherExtension) = AlgorithmExtension.read(item)
    var names: Set<String> = []
    var hasPasskey = false
    for credential in try item.require("credentials").array {
      let type = Self.text("type", of: credential) ?? "(no type)"
      guard type == ExchangedPasskey.type else {
        account.otherCredentials.add(type)
        continue
      }
      hasPasskey = true
      if let name = Self.text("username", of: credential) { names.insert(name) }
      readPasskey(credential, title: title, created: created, algorithm: algorithm, of: &account)
    }
    guard hasPasskey else { return }
    // A subtitle that repeats the user's name carries no information.
    let subtitle = Self.text("subtitle", of: item)
    var known = ["id", "creationAt", "modifiedAt", "title", "credentials"]
    if subtitle.map(names.contains) == true { known.append("subtitle") }
    if hasNoOtherExtension { known.append("extensions") }
    account.leftOutMembers.addMembers(of: item, except: known, as: "item")
  }

  private mutating func readPasskey(
    _ credential: JSONValue, title: String?, created: UnixTime?,
    algorithm: Result<COSEAlgorithm, ExchangeRefusal>?, of account: inout CredentialExchangeFile.Account
  ) {
    do throws(ExchangeRefusal) {
      var leftOut = NameTally()
      let passkey = try ExchangedPasskey(
        credential, title: title, created: created, algorithm: algorithm?.get(), leftOut: &leftOut)
      guard ids.insert(passkey.id).inserted else {
        throw ExchangeRefusal(.duplicate, "another passkey of the account has the same id")
      }
      account.passkeys.append(passkey)
      account.leftOutMembers.add(leftOut)
    } catch {
      account.excludedPasskeys.append(
        ExcludedPasskey(
          id: (try? credential["credentialId"]?.base64URL).flatMap { (bytes) in try? CredentialID(bytes) },
          relyingPartyID: Self.text("rpId", of: credential), userName: Self.text("username", of: credential),
          reason: error.reason, detail: error.detail))
    }
  }

  /// Returns a text; nil if it is missing or has another type. For descriptions only.
  private static func text(_ name: String, of value: JSONValue) -> String? { try? value[name]?.string }
}
