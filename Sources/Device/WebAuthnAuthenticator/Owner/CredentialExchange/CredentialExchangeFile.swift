// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
package import PasskeyFormats
internal import WebAuthnTypes

/// A file in FIDO's Credential Exchange Format (CXF) 1.0: the passkeys of each account, and the names and counts of what
/// else it contains.
///
/// A passkey is read with all members of the standard or left out, with the reason. Credentials of other types, such as
/// passwords, are only counted. A file can also consist of one account without the header, as the JSON of Apple's
/// `ASImportableAccount` does.
///
/// Limits:
///   text      16 MiB  [a thousand passkeys with RSA keys need 2 MiB; other credentials may have attachments]
///   depth     32 levels  [the limit of `JSON`]
///   accounts  256  [a file has one for each account of the exporting provider]
public struct CredentialExchangeFile: Sendable {
  /// The RP ID of the exporting provider, if the file has it. It may be any text.
  package let exporterRelyingPartyID: String?

  /// The name of the exporting provider, if the file has it. It may be any text.
  package let exporterName: String?

  /// The time of the export, if the file has it.
  package let exported: UnixTime?

  /// The accounts.
  public private(set) var accounts: [Account]

  /// Members of the header that are not imported.
  package let leftOutMembers: NameTally

  /// The maximum size of a file in bytes.
  package static let maximumByteCount = 1 << 24

  static let maximumAccountCount = 256

  /// The owner of a part of the file.
  public struct Account: Sendable {
    /// The account's identifier: base64url in a valid file, but it may be any text.
    public let id: String?

    /// The user name, if the file has it. It may be any text.
    package let userName: String?

    /// The e-mail address, if the file has it. It may be any text.
    public let email: String?

    /// The passkeys, in the file's order.
    package internal(set) var passkeys: [ExchangedPasskey] = []

    /// The passkeys that cannot be imported.
    package internal(set) var excludedPasskeys: [ExcludedPasskey] = []

    /// Credentials of other types, by type.
    package internal(set) var otherCredentials = NameTally()

    /// Members of the account, its items with passkeys, and their passkeys that are not imported.
    package internal(set) var leftOutMembers = NameTally()
  }
}

extension CredentialExchangeFile {
  /// Parses a file.
  ///
  /// - Throws: `credential-exchange.malformed` or `credential-exchange.another-version`.
  public init(parsing text: [UInt8]) throws(CredentialExchangeError) {
    let major: Int64
    do throws(WireError) {
      let file = try JSON.parse(JSON.withoutByteOrderMark(text), maximumSize: Self.maximumByteCount)
      // Apple's systems hand each account to an app without a header.
      let (items, others) = (try file["items"], [try file["accounts"], try file["version"]])
      let isAccount = items != nil && others.allSatisfy { (other) in other == nil }
      major = isAccount ? Self.majorVersion : try file.require("version").require("major").int64
      exporterRelyingPartyID = isAccount ? nil : try file["exporterRpId"]?.unlessNull?.string
      exporterName = isAccount ? nil : try file["exporterDisplayName"]?.unlessNull?.string
      exported = isAccount ? nil : (try? file["timestamp"]?.int64).map(UnixTime.init(secondsSince1970:))
      var accounts = [file]
      if !isAccount { accounts = [JSONValue](try file.require("accounts").array) }
      guard accounts.count <= Self.maximumAccountCount else {
        throw WireError(.jsonTooLarge, at: accounts[Self.maximumAccountCount].offset)
      }
      self.accounts = []
      for account in accounts { self.accounts.append(try CredentialExchangeReader.account(account)) }
      var leftOut = NameTally()
      if !isAccount {
        leftOut.addMembers(
          of: file, except: ["version", "exporterRpId", "exporterDisplayName", "timestamp", "accounts"], as: "header")
      }
      leftOutMembers = leftOut
    } catch {
      throw CredentialExchangeError(.malformed, "\(error)")
    }
    guard major == Self.majorVersion else {
      throw CredentialExchangeError(.anotherVersion, "the file has version \(major), not \(Self.majorVersion)")
    }
  }

  /// Returns the file with only the accounts that have this id, user name or e-mail address.
  package func withAccounts(named name: String) -> CredentialExchangeFile {
    var file = self
    file.accounts.removeAll { (account) in
      ![account.id, account.userName, account.email].contains { (text) in
        text.map { (text) in text.utf8.elementsEqual(name.utf8) } ?? false
      }
    }
    return file
  }
}

extension CredentialExchangeFile {
  private static let majorVersion: Int64 = 1

  /// Writes a file with one account.
  static func write(_ passkeys: [ExchangedPasskey], accountID: [UInt8], at time: UnixTime) -> [UInt8] {
    JSON.writeObject { (header) in
      header.writeObject("version") { (version) in
        version.write("major", .integer(majorVersion))
        version.write("minor", 0)
      }
      header.write("exporterRpId", "raxx.app")
      header.write("exporterDisplayName", "passkey")
      header.write("timestamp", .integer(time.secondsSince1970))
      header.writeArray("accounts") { (accounts) in
        accounts.writeObject { (account) in
          account.write("id", .base64URL(accountID))
          account.write("username", "")
          account.write("email", "")
          account.writeArray("collections") { _ in }
          account.writeArray("items") { (items) in
            for passkey in passkeys { items.writeObject { (item) in write(passkey, to: &item) } }
          }
        }
      }
    }
  }

  private static func write(_ passkey: ExchangedPasskey, to item: inout JSONObjectWriter) {
    item.write("id", .base64URL(passkey.itemID))
    if let created = passkey.created {
      item.write("creationAt", .integer(created.secondsSince1970))
      item.write("modifiedAt", .integer(created.secondsSince1970))
    }
    item.write("title", .string(passkey.title ?? passkey.relyingPartyID.text))
    if let name = passkey.user.name { item.write("subtitle", .string(name)) }
    item.writeArray("credentials") { (credentials) in
      credentials.writeObject { (credential) in passkey.write(to: &credential) }
    }
    AlgorithmExtension.write(passkey, to: &item)
  }
}
