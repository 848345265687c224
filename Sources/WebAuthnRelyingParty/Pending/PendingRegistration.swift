// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import WebAuthnAttestation
public import WebAuthnTypes
public import WireFormats

/// A registration that has begun: everything by which it is finished, in one value that nobody can change.
///
/// Keep ``bytes`` in a store that only the server writes, and take them out when the response comes: taken, and not
/// read, so that no response is judged twice.
public struct PendingRegistration: Hashable, Sendable {
  let sharedTerms: Shared<CeremonyTerms>
  let algorithms: [COSEAlgorithm]
  let isConditional: Bool
  let acceptableTrust: AcceptableTrust
  let maximumCredentialIDByteCount: Int

  /// For whom the passkey is made.
  public let user: UserHandle

  var terms: CeremonyTerms { sharedTerms.value }

  /// When it is too late to finish.
  public var expiry: Timestamp { terms.expiry }

  /// The challenge, by which a store may find the ceremony.
  public var challenge: Challenge { terms.challenge }

  init(
    terms: CeremonyTerms, user: UserHandle, algorithms: [COSEAlgorithm], isConditional: Bool,
    acceptableTrust: AcceptableTrust, maximumCredentialIDByteCount: Int
  ) {
    sharedTerms = Shared(terms)
    self.user = user
    self.algorithms = algorithms
    self.isConditional = isConditional
    self.acceptableTrust = acceptableTrust
    self.maximumCredentialIDByteCount = maximumCredentialIDByteCount
  }

  /// The ceremony for a store: canonical CBOR with a version in front.
  public var bytes: [UInt8] {
    var writer = PendingWriter(.registration, memberCount: 6)
    terms.write(to: &writer)
    writer.write(.user, bytes: user.bytes)
    writer.write(.algorithms, items: algorithms) { (cbor, algorithm) in cbor.write(integer: algorithm.rawValue) }
    writer.write(.isConditional, bool: isConditional)
    writer.write(.acceptableTrust, number: UInt64(acceptableTrust.rawValue))
    writer.write(.maximumCredentialIDByteCount, integer: Int64(maximumCredentialIDByteCount))
    return writer.bytes
  }

  /// Reads what ``bytes`` wrote.
  public init(bytes: Bytes) throws(CeremonyError) {
    self = try PendingCodec.read(bytes, .registration) { (members) throws in
      guard let acceptableTrust = UInt8(exactly: try members.require(.acceptableTrust).unsigned) else {
        throw CeremonyError(.pendingMalformed)
      }
      return Self(
        terms: try CeremonyTerms(members.require(.terms)),
        user: try UserHandle(members.require(.user).bytes),
        algorithms: try members.require(.algorithms).array.map { COSEAlgorithm(rawValue: try $0.integer) },
        isConditional: try members.require(.isConditional).bool,
        acceptableTrust: AcceptableTrust(rawValue: acceptableTrust),
        maximumCredentialIDByteCount: Int(clamping: try members.require(.maximumCredentialIDByteCount).integer))
    }
  }
}

extension PendingRegistration: CustomStringConvertible {
  /// For whom, where and until when, for a log line.
  public var description: String {
    "registration of \(user) at \(terms.relyingPartyID) until \(expiry)"
  }
}
