// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes

// Limits
//   16 credentials of a decoy [more than real accounts have; each costs as much as one that is sent]
//   10,000 as the sum of weights [the bias of a 32-bit draw is then below one part in 400,000]

/// The distribution of credentials at a relying party: how many an account has, the length of their IDs, and their
/// transports. Decoys are drawn from it.
///
/// ``publicSite`` suits a site whose users have any device. Where all users have the same model of security key,
/// describe that population instead.
public struct CredentialPopulation: Hashable, Sendable {
  /// The weights of accounts with one credential, two, and so on: `[7, 2, 1]` means 7 of 10 accounts have one.
  package let weightsByCount: [Int]

  /// The kinds of credentials, with their weights.
  package let kinds: [Kind]

  /// The length of user handles in bytes. It is visible where sealed pending ceremonies are sent to the browser.
  package let userHandleByteCount: Int

  /// The maximum number of credentials of a decoy.
  package static let maximumCount = 16

  /// A kind of credential.
  package struct Kind: Hashable, Sendable {
    /// The length of the credential IDs, in bytes.
    package var idByteCount: Int

    /// The transports of the authenticator, in the order in which clients report them.
    package var transports: [AuthenticatorTransport]

    /// The frequency, relative to the other kinds.
    package var weight: Int

    /// Creates a kind.
    package init(idByteCount: Int, transports: [AuthenticatorTransport], weight: Int) {
      self.idByteCount = idByteCount
      self.transports = transports
      self.weight = weight
    }
  }

  private static let maximumTotalWeight = 10_000

  // 16 bytes [the minimum length of a credential ID, §4]
  private static let shortestID = 16

  /// Creates a population.
  ///
  /// - Throws: `decoys.population-invalid` for weights or lengths out of range.
  package init(weightsByCount: [Int], kinds: [Kind], userHandleByteCount: Int = 32) throws(CeremonyError) {
    guard 1...Self.maximumCount ~= weightsByCount.count, Self.isUsable(weightsByCount) else {
      throw CeremonyError(
        .decoyPopulationInvalid,
        .init("weights of 1 to \(Self.maximumCount) credentials, 1 to 10000 in all", "\(weightsByCount)"))
    }
    guard Self.isUsable(kinds.map(\.weight)) else {
      throw CeremonyError(
        .decoyPopulationInvalid, .init("kinds with weights of 1 to 10000 in all", "\(kinds.map(\.weight))"))
    }
    for kind in kinds where !(Self.shortestID...CredentialID.maximumByteCount ~= kind.idByteCount) {
      throw CeremonyError(.decoyPopulationInvalid, .init("ids of 16 to 1023 bytes", "\(kind.idByteCount) bytes"))
    }
    guard Self.shortestID...UserHandle.maximumByteCount ~= userHandleByteCount else {
      throw CeremonyError(
        .decoyPopulationInvalid, .init("user handles of 16 to 64 bytes", "\(userHandleByteCount) bytes"))
    }
    self.init(accepted: weightsByCount, kinds, userHandleByteCount)
  }

  private init(accepted weightsByCount: [Int], _ kinds: [Kind], _ userHandleByteCount: Int) {
    self.weightsByCount = weightsByCount
    self.kinds = kinds
    self.userHandleByteCount = userHandleByteCount
  }

  /// A typical population of passkeys: mostly those of phones and password managers, and a few security keys.
  ///
  /// It does not change between versions, because a change would change every decoy.
  public static let publicSite = Self(
    accepted: [70, 22, 6, 2],
    [
      // Apple Passwords.
      Kind(idByteCount: 20, transports: [.hybrid, .internal], weight: 40),
      // Google Password Manager, and most others.
      Kind(idByteCount: 16, transports: [.hybrid, .internal], weight: 30),
      Kind(idByteCount: 32, transports: [.hybrid, .internal], weight: 8),
      // Windows Hello.
      Kind(idByteCount: 32, transports: [.internal], weight: 14),
      // Security keys.
      Kind(idByteCount: 48, transports: [.nfc, .usb], weight: 5),
      Kind(idByteCount: 64, transports: [.usb], weight: 3),
    ], 32)

  private static func isUsable(_ weights: [Int]) -> Bool {
    var total = 0
    for weight in weights {
      guard 0...maximumTotalWeight ~= weight else { return false }
      total += weight
      guard total <= maximumTotalWeight else { return false }
    }
    return total > 0
  }
}

extension CredentialPopulation {
  /// The maximum number of credentials of a decoy.
  var maximumCount: Int { weightsByCount.count }

  /// The length of the longest credential ID, in bytes.
  var maximumIDByteCount: Int { kinds.map(\.idByteCount).max() ?? 0 }

  /// The number of random bytes for one decoy: a handle, a number for the count, and for each credential a number and
  /// an ID.
  var randomByteCount: Int { userHandleByteCount + 4 + maximumCount * (4 + maximumIDByteCount) }

  func count(at number: UInt32) -> Int {
    Self.index(at: number, weightsByCount) + 1
  }

  func kind(at number: UInt32) -> Kind {
    kinds[Self.index(at: number, kinds.map(\.weight))]
  }

  /// Maps the number to an index, with a probability proportional to the weights.
  private static func index(at number: UInt32, _ weights: [Int]) -> Int {
    var rest = Int(number) % weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    return weights.count - 1
  }
}
