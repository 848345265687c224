// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnTypes

/// A pending authentication: an immutable value with all data that finishing requires.
///
/// The value cannot be copied, and finishing consumes it: code that finishes the same value twice does not compile.
/// Keep ``bytes`` in a store that only the server can write. When the response arrives, read and delete the row in one
/// statement, and pass the bytes to `init(taken:)`.
public struct PendingAuthentication: ~Copyable, Sendable {
  let terms: CeremonyTerms
  let appID: String?

  /// The user who signs in, if known. Lists credentials by ID only: the transports are in the options.
  package let identification: UserIdentification

  /// The purpose of the assertion.
  package let purpose: AuthenticationPurpose

  /// Whether a UV flag that is not yet a factor fails the ceremony: in a sign-in by policy, in a confirmation always.
  var refusesUninitializedUserVerification: Bool {
    guard terms.requiresUserVerification else { return false }
    return purpose != .signIn || terms.refusals.contains(.uninitializedUserVerification)
  }

  /// The session that must finish the ceremony, if it was begun with a binding.
  let binding: CeremonyBinding?

  /// The time at which the ceremony expires.
  public var expiry: UnixTime { terms.expiry }

  /// The challenge, which a store may use as a key.
  public var challenge: Challenge { terms.challenge }

  /// The requested credentials of a ceremony that was opened from its challenge, in place of their IDs.
  let fingerprints: CredentialFingerprints?

  init(
    terms: CeremonyTerms, identification: UserIdentification, purpose: AuthenticationPurpose, appID: String?,
    binding: CeremonyBinding?, fingerprints: CredentialFingerprints? = nil
  ) {
    self.fingerprints = fingerprints
    self.terms = terms
    self.binding = binding
    self.identification = identification
    self.purpose = purpose
    self.appID = appID
  }

  /// Returns a copy, for benchmarks and tests that verify many responses with one ceremony.
  package func duplicateForTesting() -> Self {
    Self(
      terms: terms, identification: identification, purpose: purpose, appID: appID, binding: binding,
      fingerprints: fingerprints)
  }

  /// The ceremony for a store, as canonical CBOR with a version.
  public var bytes: [UInt8] {
    PendingCodec.bytes(.authentication, terms) { (map) in
      if case .knownBefore(let user, let credentials) = identification {
        map.write(.user, bytes: user.bytes)
        map.writeArray(.credentials, credentials) { (array, credential) in array.write(bytes: credential.id.bytes) }
      }
      if case .stepUp(let action) = purpose {
        map.write(.session, bytes: action.session)
        map.write(.actionDigest, bytes: action.digest)
      }
      if let appID { map.write(.appID, text: appID) }
      if case .payment(let transaction) = purpose { map.write(.payment, transaction.tree) }
      if let binding { map.write(.binding, bytes: binding.digest) }
      if let fingerprints { map.write(.fingerprints, bytes: fingerprints.encoded) }
    }
  }

  /// Parses the output of ``bytes``, after the store has deleted it.
  ///
  /// - Throws: `ceremony.pending-malformed` or `ceremony.pending-version-unknown`.
  public init(taken bytes: [UInt8]) throws(CeremonyError) {
    self = try PendingCodec.read(bytes, .authentication) { (members) throws in
      let pending = Self(
        terms: try CeremonyTerms(members.value(.terms)),
        identification: try Self.identification(members),
        purpose: try Self.purpose(members),
        appID: try members.textIfPresent(.appID),
        binding: try CeremonyBinding(members),
        fingerprints: try CredentialFingerprints(members))
      // Only a sign-in can begin without a known user.
      guard pending.purpose == .signIn || pending.identification != .fromResponse else {
        throw CeremonyError(.pendingMalformed)
      }
      return pending
    }
  }

  private static func identification(_ members: PendingCodec.Members) throws -> UserIdentification {
    guard let user = try members.bytesIfPresent(.user) else { return .fromResponse }
    let credentials = try members.value(.credentials).array.map {
      CredentialDescriptor(id: try CredentialID($0.bytes))
    }
    return .knownBefore(try UserHandle(user), credentials: credentials)
  }

  private static func purpose(_ members: PendingCodec.Members) throws -> AuthenticationPurpose {
    switch (try members.bytesIfPresent(.session), members.lookUp(.payment)) {
    case (nil, nil): return .signIn
    case (let session?, nil):
      return .stepUp(
        StepUpAction(
          session: [UInt8](session), digest: [UInt8](try members.bytes(.actionDigest))))
    case (nil, let payment?): return .payment(try PaymentTransaction(payment))
    case (_?, _?): throw CeremonyError(.pendingMalformed)
    }
  }
}

extension PendingAuthentication {
  /// The purpose, the user, the RP ID and the expiry, for a log line.
  package var description: String {
    let user = if case .knownBefore(let user, _) = identification { "\(user)" } else { "anybody" }
    return "\(purpose), by \(user) at \(terms.relyingPartyID) until \(expiry)"
  }
}
