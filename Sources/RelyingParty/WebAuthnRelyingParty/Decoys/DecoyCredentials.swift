// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
internal import PasskeyFormats
public import WebAuthnTypes

/// Decoy credentials for unknown names: they hide from a client that begins a sign-in whether an account exists
/// (WebAuthn §14.6.2).
///
/// Call ``identification(for:known:)`` for *every* name, with the store's result or nil. Known and unknown names take
/// the same path, so the caller needs no branch that timing could reveal.
///
/// The following lists what an attacker with many requests can compare, and the countermeasure:
///
/// - *The same name again.* The decoy is derived from the name and a key. It stays the same over time, after a restart
///   and on every server with that key. Changing the key or the lists exposes all decoys at once, because real
///   credentials would not change. Keep both for the lifetime of the accounts.
/// - *Another spelling of the name.* Pass the name in the normalized form by which the store finds it. Where
///   `Ada@example.org` and `ada@example.org` are one account, they must be one name here.
/// - *The shape of the list.* The number of credentials, the length of their IDs and the transports are drawn from
///   lists like those of real accounts, and IDs are as random as an authenticator's. Real lists have the order of
///   the store; decoys have none. Do not sort real lists by a visible property such as the ID: decoys are unsorted.
/// - *An account without credentials.* It gets decoys too, because no other response has an empty list.
/// - *Timing.* The work is the same for accounts and decoys with as many credentials, which the client sees. The lookup
///   time of the store is outside this type's control.
/// - *Changes.* A list changes when an account is created, deleted or gets another passkey. An attacker who monitors
///   one name sees that it changed, but not how.
/// - *Finishing.* A decoy's user is not an account, and its credentials are in no store. If an attacker registers the
///   ID of a decoy, the user differs and step 6 refuses. A server must answer to an unknown credential as to an invalid
///   signature.
public struct DecoyCredentials: Sendable {
  private let key: SecretBytes
  private let lists: CredentialLists
  private let listKey: SecretBytes

  /// The minimum key length, against exhaustive search [as long as the hash, RFC 2104 §3].
  package static let minimumKeyByteCount = 32

  /// Creates a generator. Protect and retain the key like the accounts. Take keys for other purposes from
  /// `derivedKey(for:)`. Decoys resemble the accounts of `lists`.
  ///
  /// The working key is derived from the RP ID, so relying parties that share a key have different decoys.
  ///
  /// - Throws: `decoys.key-too-short` for a key of fewer than 32 bytes.
  public init(
    key: SecretBytes, for relyingPartyID: RelyingPartyID, like lists: CredentialLists = .publicSite()
  ) throws(CeremonyError) {
    guard key.count >= Self.minimumKeyByteCount else {
      throw CeremonyError(
        .decoyKeyTooShort, .init("at least \(Self.minimumKeyByteCount) bytes", "\(key.count) bytes"))
    }
    let label = [UInt8]("passkey decoy credentials 1 \(relyingPartyID.text)".utf8)
    self.key = HKDF.extract(from: key, salt: label)
    listKey = SecretBytes(HMAC.tag(of: [UInt8]("passkey decoy lists 1".utf8), key: self.key))
    self.lists = lists
  }

  /// Identifies the user who signs in under a name: the stored account if it has credentials, otherwise a decoy. Of a real
  /// list the first 64 credentials remain, so that it is never longer than a decoy can be.
  ///
  /// Begin the ceremony with the result:
  /// ``RelyingParty/beginAuthentication(of:purpose:userVerification:lifetime:hints:extensions:binding:at:random:)``.
  ///
  /// - Throws: `decoys.population-invalid`, which no accepted lists cause.
  public func identification(
    for name: String, known account: (user: UserHandle, credentials: [CredentialDescriptor])?
  ) throws(CeremonyError) -> UserIdentification {
    try identification(for: name, known: account, choice: choice(for: name, like: lists))
  }

  /// Chooses the shape of the decoy list for a name, before the store lookup.
  ///
  /// A store can read ``DecoyChoice/count`` dummy records for an unknown name, so that the lookup costs the same as for
  /// an account with as many credentials.
  ///
  /// Give the number of credentials that options list as `limit`, if it is less than ``CredentialLists/maximumCount``. The
  /// decoy's last credentials remain, as the newest of an account do.
  package func choice(for name: String, like lists: CredentialLists, atMost limit: Int = .max) -> DecoyChoice {
    let seed = HMAC.tag(of: [UInt8]("list \(name)".utf8), key: listKey)
      .prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let (kinds, maximumCount) = (lists.choice(seed), min(lists.maximumCount, max(1, limit)))
    return DecoyChoice(
      kinds: Array(kinds.suffix(maximumCount)), firstPlace: max(0, kinds.count - maximumCount),
      userHandleByteCount: lists.userHandleByteCount, maximumCount: maximumCount)
  }

  /// Identifies the user who signs in under a name, with a decoy of the shape that was chosen for that name.
  ///
  /// The work depends only on the credentials in the result, which the client sees anyway. For an account too, IDs of
  /// the same number and lengths are generated, and then discarded.
  ///
  /// - Throws: `decoys.population-invalid`, which no accepted lists cause.
  package func identification(
    for name: String, known account: (user: UserHandle, credentials: [CredentialDescriptor])?, choice: DecoyChoice
  ) throws(CeremonyError) -> UserIdentification {
    let own = Array((account?.credentials ?? []).prefix(choice.maximumCount))
    let kinds = own.isEmpty ? choice.kinds : own.map(CredentialLists.Kind.init)
    let decoy = try decoy(for: name, of: kinds, from: choice.firstPlace, choice.userHandleByteCount)
    guard let account, !own.isEmpty else { return .knownBefore(decoy.user, credentials: decoy.credentials) }
    return .knownBefore(account.user, credentials: own)
  }

  /// The lists that decoys resemble, with user handles of this length.
  package func lists(userHandleByteCount: Int) -> CredentialLists {
    lists.with(userHandleByteCount: userHandleByteCount)
  }

  /// A value that shows whether two servers have the same key for the same relying party, and reveals nothing else
  /// about the key. Store it with the accounts, and compare it at each start.
  package var keyCheck: [UInt8] { HMAC.tag(of: [UInt8]("passkey decoy key check 1".utf8), key: key) }

  /// Derives another 32-byte key from the same secret, one for each purpose. It reveals nothing about the decoys or the
  /// keys for other purposes.
  package func derivedKey(for purpose: String) -> SecretBytes {
    SecretBytes(HMAC.tag(of: [UInt8]("passkey derived key 1 \(purpose)".utf8), key: key))
  }

  /// Generates a handle, and an ID for each position of a list. The ID at a position stays the same as long as its
  /// length does.
  private func decoy(
    for name: String, of kinds: [CredentialLists.Kind], from firstPlace: Int, _ userHandleByteCount: Int
  ) throws(CeremonyError) -> (user: UserHandle, credentials: [CredentialDescriptor]) {
    var stream = DecoyStream(key: key, name: name, byteCount: userHandleByteCount)
    do throws(FormatError) {
      let user = try UserHandle(stream.next(userHandleByteCount))
      var credentials: [CredentialDescriptor] = []
      for (place, kind) in zip(firstPlace..., kinds) {
        // A space ends the number, so that different positions and names never produce the same input.
        var stream = DecoyStream(key: listKey, name: "\(place) \(name)", byteCount: kind.idByteCount)
        credentials.append(
          CredentialDescriptor(
            id: try CredentialID(stream.next(kind.idByteCount)),
            transports: kind.transports.map { AuthenticatorTransport(rawValue: $0) }))
      }
      return (user, credentials)
    } catch {
      // Unreachable: the lengths of accepted lists are valid.
      throw CeremonyError(.decoyPopulationInvalid, cause: .format(error))
    }
  }
}

/// The shape of the decoy credential list for one name, before the decoy is generated.
package struct DecoyChoice: Hashable, Sendable {
  let kinds: [CredentialLists.Kind]
  /// The place of the first credential in the list before it was cut.
  let firstPlace: Int
  let userHandleByteCount: Int

  /// The maximum number of credentials, for an account too.
  package let maximumCount: Int

  /// The number of credentials in the list.
  package var count: Int { kinds.count }
}
