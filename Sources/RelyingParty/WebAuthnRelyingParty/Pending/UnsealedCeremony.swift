// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnTypes

// authentication = flags, ? (length, user handle, zeros), fingerprints of 4 bytes each, ? CBOR of what few ceremonies have
// registration   = CBOR
//
// The zeros make handles of up to 32 bytes equally long: a longer challenge would tell accounts from decoys whose handles
// have another length.
//
// A sign-in with 20 passkeys and a step-up with as many have a challenge of at most 200 characters.

/// The content of a sealed challenge, as authenticated bytes. It can be read several times, when a response must be verified
/// again because its credential has changed meanwhile.
package struct UnsealedCeremony: Sendable {
  /// The identifier to spend.
  package let id: SealedCeremonyID

  let content: [UInt8]

  /// The digest of the action of a step-up, which the challenge contains unencrypted; nil for another purpose.
  let actionDigest: [UInt8]?

  let challenge: Challenge
  let relyingParty: RelyingParty
  let binding: CeremonyBinding?
  let stepUp: StepUpParties?

  /// The place of the key that opened it among those of the sealer.
  package let keyNumber: Int

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let requiresUserVerification = Self(rawValue: 1)
    static let hasUser = Self(rawValue: 2)
    static let hasRest = Self(rawValue: 4)
    static let known: Self = [.requiresUserVerification, .hasUser, .hasRest]
  }

  /// Reads an authentication.
  ///
  /// - Throws: `ceremony.pending-malformed` for the content of another version.
  package func authentication() throws(CeremonyError) -> PendingAuthentication {
    do {
      var reader = ByteReader(content)
      let flags = Flags(rawValue: try reader.readByte())
      guard flags.isSubset(of: .known) else { throw CeremonyError(.pendingMalformed) }
      let user = flags.contains(.hasUser) ? try readUser(&reader) : stepUp?.user
      let list = flags.contains(.hasRest) ? try reader.read(Int(try reader.readUInt16())) : reader.readRest()
      let rest =
        flags.contains(.hasRest)
        ? try PendingCodec.Members(CBORValue(parsing: reader.readRest(), rules: .canonical).map) : nil
      let payment = try rest?.lookUp(.payment).map { (value) in try PaymentTransaction(value) }
      let purpose: AuthenticationPurpose =
        if let stepUp, let actionDigest {
          .stepUp(StepUpAction(session: stepUp.session, digest: actionDigest))
        } else if let payment {
          .payment(payment)
        } else { .signIn }
      guard let fingerprints = CredentialFingerprints(Array(list), salt: id.salt), purpose == .signIn || user != nil
      else {
        throw CeremonyError(.pendingMalformed)
      }
      return PendingAuthentication(
        terms: CeremonyTerms(
          relyingParty, challenge: challenge,
          requiresUserVerification: flags.contains(.requiresUserVerification),
          requestedExtensions: try rest.map { (rest) in try RequestedExtensions(rest) } ?? .none, payment: payment,
          expiry: id.expiry),
        identification: user.map { (user) in .knownBefore(user, credentials: []) } ?? .fromResponse, purpose: purpose,
        appID: try rest?.textIfPresent(.appID), binding: binding, fingerprints: fingerprints)
    } catch let error as CeremonyError {
      throw error
    } catch {
      throw CeremonyError(.pendingMalformed)
    }
  }

  private static let paddedUserByteCount = 32

  private func readUser(_ reader: inout ByteReader) throws -> UserHandle {
    let count = Int(try reader.readByte())
    let user = try UserHandle(reader.read(count))
    _ = try reader.read(max(0, Self.paddedUserByteCount - count))
    return user
  }

  static func content(of pending: borrowing PendingAuthentication, _ id: SealedCeremonyID) -> [UInt8] {
    var flags: Flags = pending.terms.requiresUserVerification ? .requiresUserVerification : []
    var body: [UInt8] = []
    var list: [UInt8] = []
    if case .knownBefore(let user, let credentials) = pending.identification {
      list = CredentialFingerprints(of: credentials.map(\.id), salt: id.salt).bytes
      if pending.stepUpParties == nil {
        flags.insert(.hasUser)
        body.append(UInt8(user.bytes.count))
        body += user.bytes
        body += [UInt8](repeating: 0, count: max(0, paddedUserByteCount - user.bytes.count))
      }
    }
    let requested = pending.terms.requestedExtensions
    let payment = pending.purpose.payment
    guard !requested.names.isEmpty || payment != nil else { return [flags.rawValue] + body + list }
    flags.insert(.hasRest)
    let appID = pending.appID
    var rest = CBORWriter()
    rest.writeMap(keyedBy: PendingCodec.Key.self) { (map) in
      if let appID { map.write(.appID, text: appID) }
      if let payment { map.write(.payment, payment.tree) }
      requested.write(to: &map)
    }
    let count = [UInt8(truncatingIfNeeded: list.count >> 8), UInt8(truncatingIfNeeded: list.count)]
    return [flags.rawValue] + body + count + list + rest.bytes
  }

  /// Reads a registration, and the caller's bytes.
  ///
  /// - Throws: `ceremony.pending-malformed` for the content of another version.
  package func registration() throws(CeremonyError) -> ChallengeSealer.OpenedRegistration {
    do {
      let members = try PendingCodec.Members(CBORValue(parsing: content, rules: .canonical).map)
      let pending = PendingRegistration(
        terms: CeremonyTerms(
          relyingParty, challenge: challenge, requiresUserVerification: try members.bool(.requiresUserVerification),
          requestedExtensions: try RequestedExtensions(members), payment: nil, expiry: id.expiry),
        user: try UserHandle(members.bytes(.user)),
        algorithms: try members.value(.algorithms).array.map { COSEAlgorithm(rawValue: try $0.integer) },
        isConditional: try members.bool(.isConditional),
        acceptableTrust: AttestationPolicy.AcceptableTrust(
          rawValue: UInt8(truncatingIfNeeded: try members.unsigned(.acceptableTrust))),
        maximumCredentialIDByteCount: Int(clamping: try members.integer(.maximumCredentialIDByteCount)),
        binding: binding)
      return ChallengeSealer.OpenedRegistration(
        id: id, pending: pending, attachment: try [UInt8](members.bytes(.attachment)))
    } catch let error as CeremonyError {
      throw error
    } catch {
      throw CeremonyError(.pendingMalformed)
    }
  }
}

extension PendingAuthentication {
  func sealedContent(_ id: SealedCeremonyID) -> [UInt8] { UnsealedCeremony.content(of: self, id) }

  /// The digest of the action of a step-up; nil for another purpose.
  var actionDigest: [UInt8]? {
    if case .stepUp(let action) = purpose { action.digest } else { nil }
  }

  /// The user and the session of a step-up; nil for another purpose.
  var stepUpParties: StepUpParties? {
    guard case .stepUp(let action) = purpose, case .knownBefore(let user, _) = identification else { return nil }
    return StepUpParties(user, session: action.session)
  }
}

extension PendingRegistration {
  func sealedContent(attaching attachment: [UInt8]) -> [UInt8] {
    var writer = CBORWriter()
    writer.writeMap(keyedBy: PendingCodec.Key.self) { (map) in
      writeMembers(to: &map)
      map.write(.attachment, bytes: attachment)
      map.write(.requiresUserVerification, bool: terms.requiresUserVerification)
      terms.requestedExtensions.write(to: &map)
    }
    return writer.bytes
  }
}

/// The credentials that a sealed ceremony requests, four bytes of a salted hash each: whole IDs would make a challenge of
/// thousands of characters.
///
/// Step 5 of §7.2 accepts another credential with a probability of 2⁻³² for each listed one. Step 6 still requires that it
/// belongs to the user, so what could pass is a passkey of the same user that the options did not list.
struct CredentialFingerprints: Hashable, Sendable {
  let bytes: [UInt8]
  private let salt: ArraySlice<UInt8>

  private static let byteCount = 4

  init(of credentials: [CredentialID], salt: ArraySlice<UInt8>) {
    bytes = credentials.flatMap { (id) in Self.fingerprint(of: id, salt) }
    self.salt = salt
  }

  init?(_ bytes: [UInt8], salt: ArraySlice<UInt8>) {
    guard bytes.count.isMultiple(of: Self.byteCount) else { return nil }
    self.bytes = bytes
    self.salt = salt
  }

  /// Reads the form of a stored ceremony; nil if it has none.
  init?(_ members: PendingCodec.Members) throws {
    guard let stored = try members.bytesIfPresent(.fingerprints) else { return nil }
    let salt = stored.prefix(Challenge.minimumByteCount)
    guard salt.count == Challenge.minimumByteCount, let read = Self(Array(stored.dropFirst(salt.count)), salt: salt)
    else {
      throw CeremonyError(.pendingMalformed)
    }
    self = read
  }

  /// The form of a stored ceremony.
  var encoded: [UInt8] { salt + bytes }

  var count: Int { bytes.count / Self.byteCount }

  func contains(_ id: CredentialID) -> Bool {
    let own = Self.fingerprint(of: id, salt)
    return (0..<count).contains { (place) in bytes[(place * Self.byteCount)...].prefix(Self.byteCount) == own }
  }

  private static func fingerprint(of id: CredentialID, _ salt: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    Digest.sha256(Array(salt) + id.bytes).prefix(byteCount)
  }
}
