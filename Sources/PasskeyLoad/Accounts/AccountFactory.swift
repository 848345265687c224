// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import ServiceProfiles
internal import SystemCrypto
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// Derives accounts from a seed and their numbers with HKDF, so that nothing is stored and a later run can use the same
/// accounts.
struct AccountFactory {
  private let random: RandomSource
  private let tag: String
  private let identifiers: ServiceProfile.Identifiers

  /// The start of every name, by which an administrator recognizes the accounts.
  static let prefix = "passkey-load-"

  init(seed: String, for identifiers: ServiceProfile.Identifiers) {
    random = .seeded(Array(seed.utf8), label: "passkey-load")
    tag = Hex.encode(Digest.sha256(Array("name \(seed)".utf8)).prefix(4))
    self.identifiers = identifiers
  }

  /// Returns an account that the server may not know yet.
  func account(_ number: Int) throws(LoadError) -> LoadAccount {
    do {
      let source = random.labeled("account \(number)")
      let key = try SigningKey.generate(.es256, random: source)
      let id = try CredentialID(source.bytes(32)[...])
      return LoadAccount(number: number, names: names(number), credentialID: id, key: key)
    } catch {
      throw LoadError(.libraryUnusable, "\(error)")
    }
  }

  private func names(_ number: Int) -> UserNames {
    var text = "\(Self.prefix)\(tag)-\(number)"
    let email = "\(text)@load.example"
    guard identifiers.username != .none else { return UserNames(name: email) }
    let limit = identifiers.usernameLength.upperBound
    if text.utf8.count > limit { text = String(text.suffix(limit)) }
    return UserNames(name: text, email: identifiers.email == .required ? email : nil)
  }
}
