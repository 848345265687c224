// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

// Limits
//   16 credentials of a decoy [nobody has more; each costs as much as one that is shown]
//   10,000 of each weight in all [a draw out of 2^32 is then even to one part in 400,000]

/// What credentials look like at a relying party: how many an account has, how long their ids are, and how their
/// authenticators are reached. Decoys are drawn from it.
///
/// ``usual`` suits a site that anybody may join. One whose people were given a certain key has other lists, and says so.
public struct CredentialPopulation: Hashable, Sendable {
  /// How often accounts have one credential, two, and so on: `[7, 2, 1]` is 7 of 10 with one.
  public let weightsByCount: [Int]

  /// What kinds of credential there are, and how often.
  public let kinds: [Kind]

  /// How long the handles of users are: it shows where pending ceremonies are handed to the browser, sealed.
  public let userHandleByteCount: Int

  /// The largest number of credentials that a decoy may have.
  public static let maximumCount = 16

  /// A kind of credential.
  public struct Kind: Hashable, Sendable {
    /// How long the ids are.
    public var idByteCount: Int

    /// By which ways the authenticator is reached, in the order in which clients tell it.
    public var transports: [AuthenticatorTransport]

    /// How often there is one, in proportion to the other kinds.
    public var weight: Int

    /// Describes a kind.
    public init(idByteCount: Int, transports: [AuthenticatorTransport], weight: Int) {
      self.idByteCount = idByteCount
      self.transports = transports
      self.weight = weight
    }
  }

  private static let maximumTotalWeight = 10_000

  // 16 bytes [the shortest id that the standard allows, §4]
  private static let shortestID = 16

  /// Describes a population.
  public init(weightsByCount: [Int], kinds: [Kind], userHandleByteCount: Int = 32) throws(CeremonyError) {
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

  /// Passkeys as people have them: mostly those that phones and password managers keep, and a few security keys.
  ///
  /// It does not change from version to version, since every decoy would change with it.
  public static let usual = Self(
    accepted: [70, 22, 6, 2],
    [
      // Apple's passwords.
      Kind(idByteCount: 20, transports: [.hybrid, .internal], weight: 40),
      // Google's password manager, and most others.
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
  /// How many credentials a decoy can have.
  var maximumCount: Int { weightsByCount.count }

  /// How many bytes its longest id has.
  var maximumIDByteCount: Int { kinds.map(\.idByteCount).max() ?? 0 }

  /// What a decoy is drawn with: a handle, a number for the count, and for each credential a number and an id.
  var drawnByteCount: Int { userHandleByteCount + 4 + maximumCount * (4 + maximumIDByteCount) }

  func count(at number: UInt32) -> Int {
    Self.index(at: number, weightsByCount) + 1
  }

  func kind(at number: UInt32) -> Kind {
    kinds[Self.index(at: number, kinds.map(\.weight))]
  }

  /// The first index up to which the weights make more than the number's share of all.
  private static func index(at number: UInt32, _ weights: [Int]) -> Int {
    var rest = Int(number) % weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    return weights.count - 1
  }
}
