// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
public import PasskeyFormats
public import WebAuthnTypes

// challenge = identifier || ? digest of an action || AES-256-GCM(content)          (ciphertext, then a tag of 16 bytes)
// identifier = expiry (4 bytes, seconds since 1970) || 16 random bytes
//
// Each challenge is sealed with a key of its own: HMAC-SHA-256(key, "challenge" || identifier). A key seals once, so its nonce is
// constant, and random identifiers collide neither on one server nor on many: after 2⁴⁸ challenges of one key with a
// probability of 2⁻³³. XAES-256-GCM derives its keys for the same reason.
//
// The digest of the action of a step-up is authenticated and not encrypted. The client has asked for this action, and a
// third party compares the digest with the action, without a key of the server: the challenge is what the passkey signs.
//
// The content is what the caller cannot repeat when the response arrives. What it can repeat is authenticated and takes no
// room: the kind, the caller's context, the binding, the session and the user of a step-up, and the relying party's terms.

/// Seals pending ceremonies into their challenges, so that a server keeps nothing until the response arrives.
///
/// A client returns the challenge in its client data, whatever its length; an authenticator sees only a hash of it. A sealed
/// challenge cannot be read, changed or made without the key. Nothing is stored when a ceremony begins, so nothing can be
/// taken away when it ends: store ``SealedCeremonyID`` as spent, in the transaction that stores the result, and refuse a
/// response whose identifier is there. See <doc:SealingPendingCeremonies>.
///
/// ```swift
/// let sealer = try ChallengeSealer(keys: [key], context: [UInt8]("our store".utf8))
/// let begun = try relyingParty.beginAuthentication(of: .fromResponse, binding: binding, at: now)
/// let options = try sealer.seal(begun)
/// ```
public struct ChallengeSealer: Sendable {
  private let keys: [SecretBytes]
  private let context: [UInt8]

  /// The length of a key.
  package static let keyByteCount = 32

  /// Creates a sealer.
  ///
  /// - Parameters:
  ///   - keys: Random keys of 32 bytes. The first seals, and all open: to replace a key, put the new one in front, and
  ///     remove the old one when its ceremonies have expired.
  ///   - context: What distinguishes the store in which identifiers are spent from others. A ceremony that was begun for
  ///     another store does not open, because its identifier would be unknown there.
  /// - Throws: `ceremony.configuration-invalid` without a key, or for a key of another length.
  public init(keys: [SecretBytes], context: [UInt8] = []) throws(CeremonyError) {
    guard !keys.isEmpty, keys.allSatisfy({ (key) in key.count == Self.keyByteCount }) else {
      throw CeremonyError(.configurationInvalid, .init("keys of \(Self.keyByteCount) bytes", "\(keys)"))
    }
    self.keys = keys
    self.context = context
  }

  /// Seals an authentication into the challenge of its options.
  ///
  /// - Parameters:
  ///   - begun: The authentication.
  ///   - label: The caller's own purpose. Opening requires the same one.
  /// - Returns: The options with the sealed challenge.
  /// - Throws: `ceremony.seal-failed` if the system's cryptography fails.
  public func seal(
    _ begun: consuming RelyingParty.BegunAuthentication, for label: String = ""
  ) throws(CeremonyError) -> RequestOptions {
    var options = begun.options
    let identifier = SealedCeremonyID(random: options.challenge, expiry: begun.pending.expiry)
    let content = begun.pending.sealedContent(identifier)
    let stepUp = begun.pending.stepUpParties
    let actionDigest = begun.pending.actionDigest
    options.challenge = try seal(
      content, identifier, actionDigest,
      Authenticated(
        .authentication, label, begun.pending.binding, stepUp, actionDigest, begun.pending.terms.digest, context))
    return options
  }

  /// Seals a registration into the challenge of its options, with bytes of the caller, such as the names of the account.
  ///
  /// - Parameters:
  ///   - begun: The registration.
  ///   - attachment: The caller's bytes. Each three make the challenge four characters longer.
  ///   - label: The caller's own purpose. Opening requires the same one.
  /// - Returns: The options with the sealed challenge.
  /// - Throws: `ceremony.seal-failed` if the system's cryptography fails.
  public func seal(
    _ begun: consuming RelyingParty.BegunRegistration, attaching attachment: [UInt8] = [], for label: String = ""
  ) throws(CeremonyError) -> CreationOptions {
    var options = begun.options
    let identifier = SealedCeremonyID(random: options.challenge, expiry: begun.pending.expiry)
    options.challenge = try seal(
      begun.pending.sealedContent(attaching: attachment), identifier, nil,
      Authenticated(.registration, label, begun.pending.binding, nil, nil, begun.pending.terms.digest, context))
    return options
  }

  /// Opens the challenge of an authentication's response.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - relyingParty: The relying party. A change of its origins or of its policy for client data and signals ends
  ///     ceremonies that were begun before it.
  ///   - binding: The binding that the browser presents.
  ///   - stepUp: For a step-up, the user and the session in which the request arrived.
  ///   - label: The purpose with which it was sealed.
  /// - Returns: The ceremony, and the identifier to spend.
  /// - Throws: `ceremony.seal-broken` if anything differs from the beginning, if no key opens it, or if the client data
  ///   are malformed.
  public func openAuthentication(
    _ response: AuthenticationResponse, of relyingParty: RelyingParty, binding: CeremonyBinding? = nil,
    stepUp: StepUpParties? = nil, for label: String = ""
  ) throws(CeremonyError) -> OpenedAuthentication {
    try openAuthentication(
      Self.challenge(in: response.clientDataJSON), of: relyingParty, binding: binding, stepUp: stepUp, for: label)
  }

  /// Opens the challenge of client data that are already parsed.
  package func openAuthentication(
    _ challenge: some Collection<UInt8>, of relyingParty: RelyingParty, binding: CeremonyBinding? = nil,
    stepUp: StepUpParties? = nil, for label: String = ""
  ) throws(CeremonyError) -> OpenedAuthentication {
    let opened = try unseal(
      Bytes(challenge), .authentication, of: relyingParty, binding: binding, stepUp: stepUp, for: label)
    return OpenedAuthentication(id: opened.id, pending: try opened.authentication())
  }

  /// Opens the challenge of a registration's response.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - relyingParty: The relying party. A change of its origins or of its policy for client data and signals ends
  ///     ceremonies that were begun before it.
  ///   - binding: The binding that the browser presents.
  ///   - label: The purpose with which it was sealed.
  /// - Returns: The ceremony, and the identifier to spend.
  /// - Throws: `ceremony.seal-broken` if anything differs from the beginning, if no key opens it, or if the client data
  ///   are malformed.
  public func openRegistration(
    _ response: RegistrationResponse, of relyingParty: RelyingParty, binding: CeremonyBinding? = nil,
    for label: String = ""
  ) throws(CeremonyError) -> OpenedRegistration {
    try openRegistration(
      Self.challenge(in: response.clientDataJSON), of: relyingParty, binding: binding, for: label)
  }

  private static func challenge(in clientData: Bytes) throws(CeremonyError) -> Bytes {
    do throws(FormatError) {
      return try ClientData(parsing: clientData).challenge
    } catch {
      throw CeremonyError(.sealBroken, cause: .format(error))
    }
  }

  /// Opens the challenge of client data that are already parsed.
  package func openRegistration(
    _ challenge: some Collection<UInt8>, of relyingParty: RelyingParty, binding: CeremonyBinding? = nil,
    for label: String = ""
  ) throws(CeremonyError) -> OpenedRegistration {
    try unseal(Bytes(challenge), .registration, of: relyingParty, binding: binding, stepUp: nil, for: label)
      .registration()
  }
}

// MARK: Sealing

extension ChallengeSealer {
  package enum Kind: String {
    case registration
    case authentication
  }

  /// The bytes that must be the same when the response arrives.
  struct Authenticated {
    let bytes: [UInt8]

    init(
      _ kind: Kind, _ label: String, _ binding: CeremonyBinding?, _ stepUp: StepUpParties?,
      _ actionDigest: [UInt8]?, _ terms: [UInt8], _ context: [UInt8]
    ) {
      bytes = CBORWriter.bytes(
        of: [
          "sealed challenge 2", .text(kind.rawValue), .text(label), .bytes(context), .bytes(terms),
          binding.map { (binding) in .bytes(binding.digest) } ?? .null,
          stepUp.map { (parties) in .array([.bytes([UInt8](parties.user.bytes)), .bytes(parties.session)]) } ?? .null,
          actionDigest.map { (digest) in .bytes(digest) } ?? .null,
        ])
    }
  }

  private func seal(
    _ content: [UInt8], _ identifier: SealedCeremonyID, _ actionDigest: [UInt8]?, _ authenticated: Authenticated
  ) throws(CeremonyError) -> Challenge {
    do throws(PasskeyCryptoError) {
      let box = try SealedBox.seal(
        content, key: Self.key(of: identifier, keys[0]), nonce: Self.nonce,
        authenticating: authenticated.bytes)
      let clear = identifier.bytes + (actionDigest ?? [])
      return Challenge(allowingGuessableLength: (clear + box.ciphertext + box.tag))
    } catch {
      throw CeremonyError(.sealFailed, cause: .crypto(error))
    }
  }

  /// Opens a challenge, without reading what it contains.
  package func unseal(
    _ challenge: Bytes, _ kind: Kind, of relyingParty: RelyingParty, binding: CeremonyBinding?,
    stepUp: StepUpParties?, for label: String
  ) throws(CeremonyError) -> UnsealedCeremony {
    let clear = SealedCeremonyID.byteCount + (stepUp == nil ? 0 : StepUpAction.digestByteCount)
    let box = challenge.dropFirst(clear)
    guard box.count >= SealedBox.tagByteCount else { throw CeremonyError(.sealBroken) }
    let identifier = SealedCeremonyID(unchecked: Array(challenge.prefix(SealedCeremonyID.byteCount)))
    let actionDigest = stepUp.map { (_) in StepUpAction.digest(inSealedChallenge: challenge) }
    let authenticated = Authenticated(
      kind, label, binding, stepUp, actionDigest, relyingParty.termsDigest, context
    ).bytes
    for (number, key) in keys.enumerated() {
      let sealed = try? SealedBox(
        nonce: Self.nonce, ciphertext: box.dropLast(SealedBox.tagByteCount),
        tag: box.suffix(SealedBox.tagByteCount))
      if let content = try? sealed?.open(key: Self.key(of: identifier, key), authenticating: authenticated) {
        return UnsealedCeremony(
          id: identifier, content: content.exposedBytes, actionDigest: actionDigest,
          challenge: Challenge(allowingGuessableLength: challenge), relyingParty: relyingParty, binding: binding,
          stepUp: stepUp, keyNumber: number)
      }
    }
    throw CeremonyError(.sealBroken)
  }

  private static func key(of identifier: SealedCeremonyID, _ key: SecretBytes) -> SecretBytes {
    SecretBytes(HMAC.tag(of: [UInt8]("challenge".utf8) + identifier.bytes, key: key))
  }

  private static let nonce = [UInt8](repeating: 0, count: SealedBox.nonceByteCount)
}

/// The user and the session of a step-up, which the request that finishes it names again.
public struct StepUpParties: Hashable, Sendable {
  /// The user who confirms.
  package let user: UserHandle

  /// The session's ID, as in ``StepUpAction``.
  package let session: [UInt8]

  /// Creates the parties.
  public init(_ user: UserHandle, session: [UInt8]) {
    self.user = user
    self.session = [UInt8](session)
  }
}

/// The identifier of a sealed ceremony: its expiry, and 16 random bytes.
///
/// Identifiers sort by their expiry, so what is spent is appended to an index and deleted at its other end. They are not
/// secret.
public struct SealedCeremonyID: Hashable, Sendable {
  /// The bytes.
  public let bytes: [UInt8]

  /// The length.
  package static let byteCount = expiryByteCount + Challenge.minimumByteCount

  // Seconds since 1970, until 2106.
  private static let expiryByteCount = 4

  init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(random: Challenge, expiry: UnixTime) {
    bytes = Self.bound(of: expiry) + random.bytes.prefix(Challenge.minimumByteCount)
  }

  /// The expiry of the ceremony. A spent identifier may be deleted later than this: by as much as the clocks of two
  /// servers may differ.
  package var expiry: UnixTime {
    UnixTime(secondsSince1970: bytes.prefix(Self.expiryByteCount).reduce(0) { (sum, byte) in sum << 8 | Int64(byte) })
  }

  /// The random part of the identifier.
  var salt: ArraySlice<UInt8> { bytes.dropFirst(Self.expiryByteCount) }

  /// The bytes below which the identifiers of ceremonies lie that expired before `time`.
  public static func bound(of time: UnixTime) -> [UInt8] {
    let seconds = UInt32(clamping: time.secondsSince1970)
    return (0..<expiryByteCount).reversed().map { (place) in UInt8(truncatingIfNeeded: seconds >> (8 * place)) }
  }
}

extension ChallengeSealer {
  /// An authentication opened from its challenge.
  ///
  /// Assign it to a constant before you use ``pending``, as a ``RelyingParty/BegunAuthentication``.
  @frozen public struct OpenedAuthentication: ~Copyable, Sendable {
    /// The identifier to store as spent.
    public let id: SealedCeremonyID

    /// The ceremony. It lists no credentials; the sealed list is checked by step 5.
    public let pending: PendingAuthentication

    init(id: SealedCeremonyID, pending: consuming PendingAuthentication) {
      self.id = id
      self.pending = pending
    }
  }
}

extension ChallengeSealer {
  /// A registration opened from its challenge.
  ///
  /// Assign it to a constant before you use ``pending``, as a ``RelyingParty/BegunRegistration``.
  @frozen public struct OpenedRegistration: ~Copyable, Sendable {
    /// The identifier to store as spent.
    public let id: SealedCeremonyID

    /// The ceremony.
    public let pending: PendingRegistration

    /// The caller's bytes.
    public let attachment: [UInt8]

    init(id: SealedCeremonyID, pending: consuming PendingRegistration, attachment: [UInt8]) {
      self.id = id
      self.pending = pending
      self.attachment = attachment
    }
  }
}
