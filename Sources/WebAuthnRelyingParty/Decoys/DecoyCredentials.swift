// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
internal import WireFormats

/// Credentials that nobody has, for names that nobody has: so that whoever begins to sign in under a name does not learn
/// whether there is such an account (WebAuthn §14.6.2).
///
/// Call ``identification(for:known:)`` for *every* name, with what the store has for it or nil. There is one path for
/// both, so the caller has no branch that could be told apart.
///
/// What somebody can compare who asks for many names, many times, and what becomes of it:
///
/// - *The same name again.* The answer is made of the name and a key, so it is the same at any time, after a restart and
///   on every server that has the key. A key, or a population, that changes gives all decoys away at once: real
///   credentials would stay as they were. Keep both as long as the accounts.
/// - *Another spelling of the name.* Hand over the name in the one form by which the store finds it. Where
///   `Ada@example.org` and `ada@example.org` are one account, they must be one name here.
/// - *The look of the list.* How many credentials, how long their ids and by which transports are drawn from a
///   population like that of real passkeys, and ids are as random as an authenticator's. Lists of real accounts stand in
///   the order of the store; decoys have none, so an order by something that the list itself shows, such as the id, would
///   be missed in them.
/// - *An account without credentials.* It gets decoys as well: an empty list is found nowhere else.
/// - *The time.* The work is the same for each name, for accounts and for decoys, but for the name's length. What the
///   store takes to find nothing is the store's affair.
/// - *Changes.* A list changes when an account is made, deleted or gets another passkey. Who asks about one name over a
///   long time learns of the change, and not what it was.
/// - *Finishing.* A decoy's user is no account and its credentials are in no store, also when somebody registers the id
///   of a decoy on purpose: then the user is another, and step 6 refuses. A server answers to a credential that it does
///   not know as to a signature that is wrong.
public struct DecoyCredentials: Sendable {
  private let key: SecretBytes
  private let population: CredentialPopulation
  private let listKey: SecretBytes

  /// A key shorter than this could be tried out [as long as the hash, RFC 2104 §3].
  public static let minimumKeyByteCount = 32

  /// Takes a key that is used for this alone, is kept as secret as the accounts and as long.
  ///
  /// The RP ID goes into the key that is worked with, so relying parties that share a key still have other decoys.
  public init(
    key: SecretBytes, for relyingPartyID: RelyingPartyID, population: CredentialPopulation = .usual
  ) throws(CeremonyError) {
    guard key.count >= Self.minimumKeyByteCount else {
      throw CeremonyError(
        .decoyKeyTooShort, .init("at least \(Self.minimumKeyByteCount) bytes", "\(key.count) bytes"))
    }
    let label = [UInt8]("passkey decoy credentials 1 \(relyingPartyID.text)".utf8)
    self.key = HKDF.extract(from: key, salt: label[...])
    listKey = SecretBytes(HMAC.tag(of: [UInt8]("passkey decoy lists 1".utf8)[...], key: self.key)[...])
    self.population = population
  }

  /// Who is signing in under a name: the account that the store has, if it has one with credentials, or a decoy.
  ///
  /// Begin the ceremony with it as with any other: ``RelyingParty/beginAuthentication(of:purpose:userVerification:hints:extensions:binding:at:random:)``.
  public func identification(
    for name: String, known account: (user: UserHandle, credentials: [CredentialDescriptor])?
  ) throws(CeremonyError) -> UserIdentification {
    // Made in either case, so that both cost the same.
    let decoy = try decoy(for: name)
    guard let account, !account.credentials.isEmpty else {
      return .knownBefore(decoy.user, credentials: decoy.credentials)
    }
    return .knownBefore(account.user, credentials: account.credentials)
  }

  /// Identifies the user who signs in under a name, with decoys drawn from the lists of real accounts. Of a real list
  /// the first ``CredentialLists/maximumCount`` credentials are named, so that no list is longer than a decoy's can be.
  public func identification(
    for name: String, known account: (user: UserHandle, credentials: [CredentialDescriptor])?,
    like lists: CredentialLists
  ) throws(CeremonyError) -> UserIdentification {
    try identification(for: name, known: account, choice: choice(for: name, like: lists))
  }

  /// Chooses the list that a decoy for this name has, before the store is asked.
  ///
  /// A store that knows ``DecoyChoice/count`` can read as many stand-ins for a name without an account, so that the
  /// look-up costs the same as for an account that has as many credentials.
  public func choice(for name: String, like lists: CredentialLists) -> DecoyChoice {
    let seed = HMAC.tag(of: [UInt8]("list \(name)".utf8)[...], key: listKey)
      .prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return DecoyChoice(
      kinds: lists.choice(seed), userHandleByteCount: lists.userHandleByteCount, maximumCount: lists.maximumCount)
  }

  /// Identifies the user who signs in under a name, with a decoy that was chosen for that name.
  ///
  /// The work depends only on the credentials that the result names, which the client sees anyway: ids are made for an
  /// account too, as many and as long as its own, and dropped.
  public func identification(
    for name: String, known account: (user: UserHandle, credentials: [CredentialDescriptor])?, choice: DecoyChoice
  ) throws(CeremonyError) -> UserIdentification {
    let own = Array((account?.credentials ?? []).prefix(choice.maximumCount))
    let kinds = own.isEmpty ? choice.kinds : own.map(CredentialLists.Kind.init)
    let decoy = try decoy(for: name, of: kinds, userHandleByteCount: choice.userHandleByteCount)
    guard let account, !own.isEmpty else { return .knownBefore(decoy.user, credentials: decoy.credentials) }
    return .knownBefore(account.user, credentials: own)
  }

  /// What shows whether two servers have the same key for the same relying party, and nothing else of it: keep it with the
  /// accounts, and look at it at each start.
  public var keyCheck: [UInt8] { HMAC.tag(of: [UInt8]("passkey decoy key check 1".utf8)[...], key: key) }

  /// Derives another key of 32 bytes from the same secret, one for each purpose. It tells nothing of the decoys or of the
  /// keys for other purposes.
  public func derivedKey(for purpose: String) -> SecretBytes {
    SecretBytes(HMAC.tag(of: [UInt8]("passkey derived key 1 \(purpose)".utf8)[...], key: key)[...])
  }

  private func decoy(
    for name: String
  ) throws(CeremonyError) -> (user: UserHandle, credentials: [CredentialDescriptor]) {
    var stream = DecoyStream(key: key, name: name, byteCount: population.drawnByteCount)
    do throws(FormatError) {
      let user = try UserHandle(stream.next(population.userHandleByteCount))
      let count = population.count(at: stream.nextNumber())
      var credentials: [CredentialDescriptor] = []
      // All that there can be are made, whatever their number is.
      for _ in 0..<population.maximumCount {
        let kind = population.kind(at: stream.nextNumber())
        let material = stream.next(population.maximumIDByteCount)
        credentials.append(
          CredentialDescriptor(
            id: try CredentialID(material.prefix(kind.idByteCount)), transports: kind.transports))
      }
      return (user, Array(credentials.prefix(count)))
    } catch {
      // A population that was accepted has no such lengths.
      throw CeremonyError(.decoyPopulationInvalid, cause: .format(error))
    }
  }

  /// Makes a handle, and an id for each place of a list. An id stays while the list has one as long in that place.
  private func decoy(
    for name: String, of kinds: [CredentialLists.Kind], userHandleByteCount: Int
  ) throws(CeremonyError) -> (user: UserHandle, credentials: [CredentialDescriptor]) {
    var stream = DecoyStream(key: key, name: name, byteCount: userHandleByteCount)
    do throws(FormatError) {
      let user = try UserHandle(stream.next(userHandleByteCount))
      var credentials: [CredentialDescriptor] = []
      for (place, kind) in kinds.enumerated() {
        // Numbers end with a space, so that no two names and places are alike.
        var stream = DecoyStream(key: listKey, name: "\(place) \(name)", byteCount: kind.idByteCount)
        credentials.append(
          CredentialDescriptor(
            id: try CredentialID(stream.next(kind.idByteCount)),
            transports: kind.transports.map { AuthenticatorTransport(rawValue: $0) }))
      }
      return (user, credentials)
    } catch {
      // Lists that were accepted have no such lengths.
      throw CeremonyError(.decoyPopulationInvalid, cause: .format(error))
    }
  }
}
