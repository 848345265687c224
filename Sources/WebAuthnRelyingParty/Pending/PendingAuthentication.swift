// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A pending authentication: an immutable value with all data that finishing requires.
///
/// The value cannot be copied, and finishing consumes it: code that finishes the same value twice does not compile.
/// Keep ``bytes`` in a store that only the server can write. When the response arrives, read and delete the row in one
/// statement, and pass the bytes to ``init(taken:)-(Bytes)``.
public struct PendingAuthentication: ~Copyable, Sendable {
  let sharedTerms: Shared<CeremonyTerms>
  let appID: String?

  /// The user who signs in, if known. Lists credentials by ID only: the transports are in the options.
  public let identification: UserIdentification

  /// The purpose of the assertion.
  public let purpose: AuthenticationPurpose

  var terms: CeremonyTerms { sharedTerms.value }

  /// Whether a UV flag that is not yet a factor fails the ceremony: in a sign-in by policy, in a confirmation always.
  var refusesUninitializedUserVerification: Bool {
    guard terms.requiresUserVerification else { return false }
    return purpose != .signIn || terms.uninitializedUserVerification == .refuse
  }

  /// The session that must finish the ceremony, if it was begun with a binding.
  let binding: CeremonyBinding?

  /// The time at which the ceremony expires.
  public var expiry: Timestamp { terms.expiry }

  /// The challenge, which a store may use as a key.
  public var challenge: Challenge { terms.challenge }

  init(
    terms: Shared<CeremonyTerms>, identification: UserIdentification, purpose: AuthenticationPurpose, appID: String?,
    binding: CeremonyBinding?
  ) {
    sharedTerms = terms
    self.binding = binding
    self.identification = identification
    self.purpose = purpose
    self.appID = appID
  }

  /// Returns a copy, for benchmarks and tests that verify many responses with one ceremony.
  package func duplicateForTesting() -> Self {
    Self(terms: sharedTerms, identification: identification, purpose: purpose, appID: appID, binding: binding)
  }

  /// The ceremony for a store, as canonical CBOR with a version.
  public var bytes: [UInt8] {
    var memberCount = 1
    if case .knownBefore = identification { memberCount += 2 }
    switch purpose {
    case .signIn: break
    case .stepUp: memberCount += 2
    case .payment: memberCount += 1
    }
    if appID != nil { memberCount += 1 }
    if binding != nil { memberCount += 1 }
    var writer = PendingWriter(.authentication, memberCount: memberCount)
    terms.write(to: &writer)
    if case .knownBefore(let user, let credentials) = identification {
      writer.write(.user, bytes: user.bytes)
      writer.write(.credentials, items: credentials) { (cbor, credential) in cbor.write(bytes: credential.id.bytes) }
    }
    if case .stepUp(let action) = purpose {
      writer.write(.session, bytes: action.session)
      writer.write(.actionDigest, bytes: action.digest)
    }
    if let appID { writer.write(.appID, text: appID) }
    if case .payment(let transaction) = purpose { writer.write(.payment, tree: transaction.tree) }
    if let binding { writer.write(.binding, bytes: binding.digest) }
    return writer.bytes
  }

  /// Parses the output of ``bytes``, after the store has deleted it.
  ///
  /// - Throws: `ceremony.pending-malformed` or `ceremony.pending-version-unknown`.
  public init(taken bytes: Bytes) throws(CeremonyError) {
    self = try PendingCodec.read(bytes, .authentication) { (members) throws in
      let pending = Self(
        terms: Shared(try CeremonyTerms(members.require(.terms))),
        identification: try Self.identification(members),
        purpose: try Self.purpose(members),
        appID: try members[.appID]?.text,
        binding: try CeremonyBinding(members))
      // Only a sign-in can begin without a known user.
      guard pending.purpose == .signIn || pending.identification != .fromResponse else {
        throw CeremonyError(.pendingMalformed)
      }
      return pending
    }
  }

  /// Parses the output of ``bytes``, after the store has deleted it.
  ///
  /// - Throws: `ceremony.pending-malformed` or `ceremony.pending-version-unknown`.
  @inlinable
  public init(taken bytes: some Collection<UInt8>) throws(CeremonyError) {
    try self.init(taken: Bytes(bytes))
  }

  private static func identification(_ members: PendingCodec.Members) throws -> UserIdentification {
    guard let user = members[.user] else { return .fromResponse }
    let credentials = try members.require(.credentials).array.map {
      CredentialDescriptor(id: try CredentialID($0.bytes))
    }
    return .knownBefore(try UserHandle(user.bytes), credentials: credentials)
  }

  private static func purpose(_ members: PendingCodec.Members) throws -> AuthenticationPurpose {
    switch (members[.session], members[.payment]) {
    case (nil, nil): return .signIn
    case (let session?, nil):
      return .stepUp(
        StepUpAction(
          session: [UInt8](try session.bytes), digest: [UInt8](try members.require(.actionDigest).bytes)))
    case (nil, let payment?): return .payment(try PaymentTransaction(payment))
    case (_?, _?): throw CeremonyError(.pendingMalformed)
    }
  }
}

extension PendingAuthentication {
  /// The purpose, the user, the RP ID and the expiry, for a log line.
  public var description: String {
    let user = if case .knownBefore(let user, _) = identification { "\(user)" } else { "anybody" }
    return "\(purpose), by \(user) at \(terms.relyingPartyID) until \(expiry)"
  }
}
