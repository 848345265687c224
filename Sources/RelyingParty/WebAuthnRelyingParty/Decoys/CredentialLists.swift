// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
public import WebAuthnTypes

// Limits
//   1,024 different lists [each decoy evaluates all of them; real stores have some dozens]
//   64 credentials in a list [more than an account may have]
//   16 transports of a credential, of 32 bytes each [six are registered]

/// The shapes of the credential lists that a relying party sends: the number of credentials, and the ID length and the
/// transports of each. They are collected from the relying party's own accounts, so that decoys drawn from them differ
/// from real lists in their random bytes only.
///
/// Collect them once, store them, and keep them for as long as the accounts: every decoy that changes is recognizable as
/// a decoy. If the accounts have changed so much that decoys no longer resemble them, an operator may replace the lists.
/// Decoys keep their shape where its frequency has not changed.
///
/// A sample does not have all the lists of later accounts. Its lists that only one account has say how many are missing
/// (I. J. Good, The population frequencies of species, 1953). Twice that share of the decoys combine the lists of several
/// accounts.
public struct CredentialLists: Hashable, Sendable {
  /// One credential of a list.
  struct Kind: Hashable, Sendable {
    let idByteCount: Int
    let transports: [String]

    init(idByteCount: Int, transports: [String]) {
      self.idByteCount = idByteCount
      self.transports = transports
    }

    init(_ credential: CredentialDescriptor) {
      self.init(idByteCount: credential.id.bytes.count, transports: credential.transports.map(\.rawValue))
    }
  }

  /// A list, the number of accounts with this shape, and a number from which decoys choose.
  struct List: Hashable, Sendable {
    let kinds: [Kind]
    let weight: Int
    let number: UInt64
  }

  let lists: [List]

  /// For each list, the number of accounts with this or an earlier list.
  private let ends: [Int]

  /// The number of accounts among ``accountCount`` whose decoys combine several lists.
  private let combinedCount: Int

  /// The maximum length of a list; longer ones are truncated.
  package let maximumCount: Int

  /// The length of user handles, in bytes.
  package fileprivate(set) var userHandleByteCount: Int

  /// The number of accounts from which the lists were collected.
  package var accountCount: Int { ends.last ?? 0 }

  /// The maximum of ``maximumCount``.
  package static let maximumCredentialCount = 64

  private static let maximumListCount = 1_024
  private static let maximumTransportCount = 16
  private static let maximumTransportByteCount = 32
  private static let maximumWeight = 1 << 32
  private static let userHandleByteCounts = 16...UserHandle.maximumByteCount

  /// Collects the lists of accounts, each in the order in which options name the credentials. Nil if no account has a
  /// credential.
  ///
  /// Only the first `maximumCount` credentials of each list count: ``DecoyCredentials`` truncates real lists to the same
  /// length.
  public init?(of accounts: [[CredentialDescriptor]], atMost maximumCount: Int, userHandleByteCount: Int = 32) {
    guard Self.userHandleByteCounts ~= userHandleByteCount else { return nil }
    let maximumCount = min(max(1, maximumCount), Self.maximumCredentialCount)
    var weights: [[Kind]: Int] = [:]
    for account in accounts where !account.isEmpty {
      let kinds = account.prefix(maximumCount).map(Kind.init)
      weights[kinds, default: 0] += 1
    }
    guard !weights.isEmpty else { return nil }
    self.init(weights, maximumCount, userHandleByteCount)
  }

  /// Returns the lists of a typical site: mostly passkeys of phones and password managers, and a few security keys. They
  /// never change. User handles have 16 to 64 bytes.
  public static func publicSite(userHandleByteCount: Int = 32) -> CredentialLists {
    let byteCount = max(userHandleByteCounts.lowerBound, min(userHandleByteCounts.upperBound, userHandleByteCount))
    var weights: [[Kind]: Int] = [:]
    for (index, weight) in publicSiteCounts.enumerated() {
      // The first half of a list is of one kind, the second half of another or the same.
      for first in publicSiteKinds {
        for second in publicSiteKinds {
          let list = (0...index).map { (place) in place <= index / 2 ? first.kind : second.kind }
          weights[list, default: 0] += weight * first.weight * second.weight
        }
      }
    }
    return Self(weights, maximumCredentialCount, byteCount)
  }

  /// How many of 100 accounts of a public site have one passkey, two, and so on.
  package static let publicSiteCounts = [70, 22, 6, 2]

  /// The passkeys of a public site, of 100.
  private static let publicSiteKinds: [(kind: Kind, weight: Int)] = [
    // Apple Passwords.
    (Kind(idByteCount: 20, transports: ["hybrid", "internal"]), 40),
    // Google Password Manager, and most others.
    (Kind(idByteCount: 16, transports: ["hybrid", "internal"]), 30),
    (Kind(idByteCount: 32, transports: ["hybrid", "internal"]), 8),
    // Windows Hello.
    (Kind(idByteCount: 32, transports: ["internal"]), 14),
    // Security keys.
    (Kind(idByteCount: 48, transports: ["nfc", "usb"]), 5),
    (Kind(idByteCount: 64, transports: ["usb"]), 3),
  ]

  /// Returns the lists with user handles of another length, from 16 to 64 bytes.
  func with(userHandleByteCount: Int) -> Self {
    var lists = self
    let range = Self.userHandleByteCounts
    lists.userHandleByteCount = max(range.lowerBound, min(range.upperBound, userHandleByteCount))
    return lists
  }

  /// Keeps the most frequent lists.
  private init(_ weights: [[Kind]: Int], _ maximumCount: Int, _ userHandleByteCount: Int) {
    let all = weights.map { List(kinds: $0.key, weight: $0.value, number: Self.number(of: $0.key)) }
    // The number breaks ties, so that the same accounts produce the same lists.
    lists = Array(
      all.sorted { ($0.weight, $1.number) > ($1.weight, $0.number) }.prefix(Self.maximumListCount))
    var end = 0
    ends = lists.map { (list) in
      end += list.weight
      return end
    }
    combinedCount = min(end, 2 * lists.count { $0.weight == 1 })
    self.maximumCount = maximumCount
    self.userHandleByteCount = userHandleByteCount
  }

  /// A stable hash of a list.
  private static func number(of kinds: [Kind]) -> UInt64 {
    Digest.sha256(encoded(kinds)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func encoded(_ kinds: [Kind]) -> [UInt8] { CBORWriter.bytes(of: value(kinds)) }

  private static func value(_ kinds: [Kind]) -> CBORTree {
    .array(kinds.map { .array([.integer(Int64($0.idByteCount)), .array($0.transports.map { .text($0) })]) })
  }
}

// lists = [version, maximumCount, userHandleByteCount, [[weight, [[idByteCount, [transport…]]…]]…]]
//
// CBOR in canonical form.

extension CredentialLists {
  private static let version: Int64 = 2

  /// The lists as CBOR, for storage.
  public var encoded: [UInt8] {
    CBORWriter.bytes(
      of: .array([
        .integer(Self.version), .integer(Int64(maximumCount)), .integer(Int64(userHandleByteCount)),
        .array(lists.map { .array([.integer(Int64($0.weight)), Self.value($0.kinds)]) }),
      ]))
  }

  /// Parses the output of ``encoded``; nil for any other bytes.
  public init?(parsing bytes: [UInt8]) {
    do {
      let parts = Array(try CBORValue(parsing: bytes, rules: .canonical).array)
      guard parts.count == 4, try parts[0].integer == Self.version,
        let maximumCount = Int(exactly: try parts[1].integer), 1...Self.maximumCredentialCount ~= maximumCount,
        let handleByteCount = Int(exactly: try parts[2].integer), Self.userHandleByteCounts ~= handleByteCount
      else { return nil }
      var weights: [[Kind]: Int] = [:]
      for element in try parts[3].array {
        let pair = Array(try element.array)
        guard pair.count == 2, let weight = Int(exactly: try pair[0].integer), 1...Self.maximumWeight ~= weight,
          let kinds = try Self.kinds(pair[1], atMost: maximumCount), weights.count < Self.maximumListCount
        else { return nil }
        weights[kinds] = weight
      }
      guard !weights.isEmpty else { return nil }
      self.init(weights, maximumCount, handleByteCount)
    } catch {
      return nil
    }
  }

  private static func kinds(_ value: CBORValue, atMost maximumCount: Int) throws -> [Kind]? {
    var kinds: [Kind] = []
    for element in try value.array {
      let pair = Array(try element.array)
      guard pair.count == 2, let count = Int(exactly: try pair[0].integer), 1...CredentialID.maximumByteCount ~= count
      else { return nil }
      let transports = try pair[1].array.map { try $0.text }
      guard transports.count <= maximumTransportCount,
        transports.allSatisfy({ $0.utf8.count <= maximumTransportByteCount }), kinds.count < maximumCount
      else { return nil }
      kinds.append(Kind(idByteCount: count, transports: transports))
    }
    return kinds.isEmpty ? nil : kinds
  }
}

extension CredentialLists {
  /// Chooses a list for a seed, each with a probability proportional to its weight, or combines several.
  ///
  /// Each list draws an exponentially distributed time, and the smallest wins (Efraimidis and Spirakis, weighted random
  /// sampling). If the weight of a list changes, only as many choices change as the weight requires. Only relative
  /// weights matter, so more accounts with the same distribution change nothing.
  func choice(_ seed: UInt64) -> [Kind] {
    var draws = Draws(state: seed)
    if draws.next(below: accountCount) < combinedCount { return combination(&draws) }
    let total = Double(max(1, accountCount))
    var chosen: (time: Double, kinds: [Kind])?
    for list in lists {
      let time = Self.exponential(Draws.mixed(seed ^ list.number)) * total / Double(list.weight)
      if time < chosen?.time ?? .infinity { chosen = (time, list.kinds) }
    }
    return chosen?.kinds ?? []
  }

  /// Combines the lists of several accounts: as many credentials as one has, and each either that of another account at
  /// this place or any credential of a third one. Half of each keeps what the credentials of one account have in common.
  private func combination(_ draws: inout Draws) -> [Kind] {
    let model = account(&draws)
    return (0..<account(&draws).count).map { (place) in
      guard draws.next(below: 2) == 0 else {
        let other = account(&draws)
        return other[draws.next(below: other.count)]
      }
      return model[place < model.count ? place : draws.next(below: model.count)]
    }
  }

  /// Returns the list of a random account.
  private func account(_ draws: inout Draws) -> [Kind] {
    let number = draws.next(below: accountCount)
    var range = 0..<lists.count - 1
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = number < ends[middle] ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return lists[range.lowerBound].kinds
  }

  /// −ln of a uniform number in (0, 1] that is made from the given bits.
  private static func exponential(_ bits: UInt64) -> Double {
    let uniform = (Double(bits >> 11) + 1) * 0x1p-53
    // u = m × 2^e with m in [1, 2), and ln m = 2 artanh((m − 1) / (m + 1)).
    let exponent = uniform.exponent
    let ratio = (uniform.significand - 1) / (uniform.significand + 1)
    let square = ratio * ratio
    var sum = 0.0
    for divisor in stride(from: 21.0, through: 1, by: -2) { sum = sum * square + 1 / divisor }
    return -(Double(exponent) * 0.693_147_180_559_945_3 + 2 * ratio * sum)
  }
}

/// The random numbers that follow from a seed (SplitMix64).
private struct Draws {
  private var state: UInt64

  init(state: UInt64) { self.state = state }

  /// Returns a number below `bound`, or 0 if the bound is not positive.
  mutating func next(below bound: Int) -> Int {
    state &+= Self.step
    return Int(Self.mixed(state) % UInt64(max(1, bound)))
  }

  /// The finalizer: every output bit depends on every input bit.
  static func mixed(_ value: UInt64) -> UInt64 {
    var value = value &+ step
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15
}
