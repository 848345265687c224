// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// Reports what an export or import in the Credential Exchange Format does not transfer.
enum ExchangeReport {
  static func note(_ excluded: [ExcludedPasskey]) {
    for passkey in excluded {
      let user = passkey.userName.map { (name) in " of \(name.escapedForTerminal)" } ?? ""
      let site = passkey.relyingPartyID.map { (id) in " for \(id.escapedForTerminal)" } ?? ""
      let id = passkey.id.map { (id) in " \(id)" } ?? ""
      Diagnostics.passkey.note("left out the passkey\(id)\(user)\(site): \(passkey.detail.escapedForTerminal)")
    }
  }

  static func note(_ file: CredentialExchangeFile) {
    for (type, count) in file.otherCredentials.entries {
      Diagnostics.passkey.note(
        "left out \(count) \(count == 1 ? "credential" : "credentials") of type \(type.escapedForTerminal)")
    }
    note(members: file.allLeftOutMembers)
  }

  static func note(members: NameTally) {
    for (name, count) in members.entries {
      Diagnostics.passkey.note("left out \(name.escapedForTerminal)\(count == 1 ? "" : " (\(count) times)")")
    }
  }

  static func noteAlgorithms(of export: CredentialExchangeExport) {
    for (algorithm, passkeys) in Dictionary(grouping: export.unusualAlgorithms, by: { "\($0.algorithm)" }).sorted(
      by: { $0.key < $1.key })
    {
      let count = passkeys.count
      Diagnostics.passkey.note(
        """
        only an extension of the file says that \(count == 1 ? "1 passkey uses" : "\(count) passkeys use") \(algorithm): \
        other programs may not sign with \(count == 1 ? "it" : "them")
        """)
    }
  }

  static func writeAlgorithms(of export: CredentialExchangeExport, to object: inout JSONObjectWriter) {
    object.writeArray("unusualAlgorithms") { (array) in
      for (id, algorithm) in export.unusualAlgorithms {
        array.writeObject { (object) in
          object.write("id", .base64URL(id.bytes))
          object.write("algorithm", .string("\(algorithm)"))
        }
      }
    }
  }

  static func write(_ excluded: [ExcludedPasskey], to object: inout JSONObjectWriter) {
    object.writeArray("excluded") { (array) in
      for passkey in excluded {
        array.writeObject { (object) in
          object.write("id", passkey.id.map { (id) in .base64URL(id.bytes) } ?? .null)
          object.write("rpId", .text(passkey.relyingPartyID))
          object.write("user", .text(passkey.userName))
          object.write("reason", .string(passkey.reason.rawValue))
          object.write("detail", .string(passkey.detail))
        }
      }
    }
  }

  static func write(_ name: String, _ tally: NameTally, to object: inout JSONObjectWriter) {
    object.writeArray(name) { (array) in
      for (name, count) in tally.entries {
        array.writeObject { (object) in
          object.write("name", .string(name))
          object.write("count", .integer(count))
        }
      }
    }
  }
}

extension CredentialExchangeFile {
  /// Credentials of other types in all accounts, by type.
  var otherCredentials: NameTally {
    accounts.reduce(into: NameTally()) { (tally, account) in tally.add(account.otherCredentials) }
  }

  /// Members of the file that are not imported.
  var allLeftOutMembers: NameTally {
    accounts.reduce(into: leftOutMembers) { (tally, account) in tally.add(account.leftOutMembers) }
  }
}
