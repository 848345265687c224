// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
package import PasskeyProfiles
internal import WebAuthnClient
internal import WebAuthnTypes

/// Derives accounts from a seed and their numbers with HKDF, so that nothing is stored and a later run can use the same
/// accounts.
package struct AccountFactory {
  private let random: RandomSource
  private let tag: String
  private let identifiers: ServiceProfile.Identifiers
  /// The keys that the accounts share; empty if each has its own.
  private let sharedKeys: [SigningKey]

  /// The start of every name, by which an administrator recognizes the accounts.
  static let prefix = "passkey-load-"

  // 1,024 [more than a processor's caches hold, as with a million]
  private static let sharedKeyCount = 1_024
  /// Makes names of accounts in bulk equally long, so that they ascend with their numbers.
  private static let firstBulkNumber = 1_000_000_000

  /// Creates a factory.
  ///
  /// - Throws: `load.library-unusable`.
  package init(
    seed: String, _ population: LoadPlan.Population = .individual, for identifiers: ServiceProfile.Identifiers
  ) throws(LoadError) {
    let random = RandomSource.seeded(Array(seed.utf8), label: "passkey-load")
    self.random = random
    tag = Self.tag(of: seed)
    self.identifiers = identifiers
    guard population == .bulk else {
      sharedKeys = []
      return
    }
    sharedKeys = try (0..<Self.sharedKeyCount).map { (number) throws(LoadError) in
      try Self.passkey(random.labeled("shared key \(number)")).key
    }
  }

  /// The start of the names of the accounts of a seed.
  package static func prefix(ofSeed seed: String) -> String { "\(prefix)\(tag(of: seed))-" }

  private static func tag(of seed: String) -> String {
    Hex.encode(Digest.sha256(Array("name \(seed)".utf8)).prefix(4))
  }

  /// Returns an account that the server may not know yet.
  ///
  /// - Throws: `load.library-unusable`.
  package func account(_ number: Int) throws(LoadError) -> LoadAccount {
    guard !sharedKeys.isEmpty else {
      let (id, key) = try Self.passkey(random.labeled("account \(number)"))
      return LoadAccount(number: number, names: names(number), credentialID: id, key: key)
    }
    let start = (0..<4).map { (place) in UInt8(truncatingIfNeeded: number >> (24 - 8 * place)) }
    let id = start + Digest.sha256(Array("\(tag) \(number)".utf8)).dropFirst(start.count)
    return LoadAccount(
      number: number, names: names(Self.firstBulkNumber + number), credentialID: try Self.credentialID(id),
      key: sharedKeys[number % sharedKeys.count])
  }

  private static func passkey(_ source: RandomSource) throws(LoadError) -> (id: CredentialID, key: SigningKey) {
    do {
      let key = try SigningKey.generate(.es256, random: source)
      return (try credentialID(source.bytes(32)), key)
    } catch {
      throw LoadError(.libraryUnusable, "\(error)")
    }
  }

  private static func credentialID(_ bytes: [UInt8]) throws(LoadError) -> CredentialID {
    do {
      return try CredentialID(bytes[...])
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
