// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// An authentication that has begun: everything by which it is finished, in one value that nobody can change.
///
/// Keep ``bytes`` in a store that only the server writes, and take them out when the response comes: taken, and not
/// read, so that no response is judged twice.
public struct PendingAuthentication: Hashable, Sendable {
  let sharedTerms: Shared<CeremonyTerms>
  let appID: String?

  /// Who is signing in, as far as it is known. Credentials stand here by their ids: how to reach them was the options'
  /// affair.
  public let identification: UserIdentification

  /// What the assertion is asked for.
  public let purpose: AuthenticationPurpose

  var terms: CeremonyTerms { sharedTerms.value }

  /// Whether a UV flag that is not a factor yet ends the ceremony: in a sign-in by policy, in a confirmation always.
  var refusesUninitializedUserVerification: Bool {
    guard terms.requiresUserVerification else { return false }
    return purpose != .signIn || terms.uninitializedUserVerification == .refuse
  }

  /// When it is too late to finish.
  public var expiry: Timestamp { terms.expiry }

  /// The challenge, by which a store may find the ceremony.
  public var challenge: Challenge { terms.challenge }

  init(terms: CeremonyTerms, identification: UserIdentification, purpose: AuthenticationPurpose, appID: String?) {
    sharedTerms = Shared(terms)
    self.identification = identification.withoutTransports
    self.purpose = purpose
    self.appID = appID
  }

  /// The ceremony for a store: canonical CBOR with a version in front.
  public var bytes: [UInt8] {
    var memberCount = 1
    if case .knownBefore = identification { memberCount += 2 }
    switch purpose {
    case .signIn: break
    case .stepUp: memberCount += 2
    case .payment: memberCount += 1
    }
    if appID != nil { memberCount += 1 }
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
    return writer.bytes
  }

  /// Reads what ``bytes`` wrote.
  public init(bytes: Bytes) throws(CeremonyError) {
    self = try PendingCodec.read(bytes, .authentication) { (members) throws in
      let pending = Self(
        terms: try CeremonyTerms(members.require(.terms)),
        identification: try Self.identification(members),
        purpose: try Self.purpose(members),
        appID: try members[.appID]?.text)
      // None was ever begun for nobody in particular.
      guard pending.purpose == .signIn || pending.identification != .fromResponse else {
        throw CeremonyError(.pendingMalformed)
      }
      return pending
    }
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

extension PendingAuthentication: CustomStringConvertible {
  /// For what, by whom, where and until when, for a log line.
  public var description: String {
    let user = if case .knownBefore(let user, _) = identification { "\(user)" } else { "anybody" }
    return "\(purpose), by \(user) at \(terms.relyingPartyID) until \(expiry)"
  }
}
