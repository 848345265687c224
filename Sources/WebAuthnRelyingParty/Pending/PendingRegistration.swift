// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import WebAuthnAttestation
public import WebAuthnTypes
public import WireFormats

/// A pending registration: an immutable value with all data that finishing requires.
///
/// The value cannot be copied, and finishing consumes it: code that finishes the same value twice does not compile.
/// Keep ``bytes`` in a store that only the server can write. When the response arrives, read and delete the row in one
/// statement, and pass the bytes to ``init(taken:)-(Bytes)``.
public struct PendingRegistration: ~Copyable, Sendable {
  let sharedTerms: Shared<CeremonyTerms>
  let algorithms: [COSEAlgorithm]
  let isConditional: Bool
  let acceptableTrust: AcceptableTrust
  let maximumCredentialIDByteCount: Int

  /// The user who registers the passkey.
  public let user: UserHandle

  var terms: CeremonyTerms { sharedTerms.value }

  /// The session that must finish the ceremony, if it was begun with a binding.
  let binding: CeremonyBinding?

  /// The time at which the ceremony expires.
  public var expiry: Timestamp { terms.expiry }

  /// The challenge, which a store may use as a key.
  public var challenge: Challenge { terms.challenge }

  init(
    terms: Shared<CeremonyTerms>, user: UserHandle, algorithms: [COSEAlgorithm], isConditional: Bool,
    acceptableTrust: AcceptableTrust, maximumCredentialIDByteCount: Int, binding: CeremonyBinding?
  ) {
    sharedTerms = terms
    self.binding = binding
    self.user = user
    self.algorithms = algorithms
    self.isConditional = isConditional
    self.acceptableTrust = acceptableTrust
    self.maximumCredentialIDByteCount = maximumCredentialIDByteCount
  }

  /// Returns a copy, for benchmarks and tests that verify many responses with one ceremony.
  package func duplicateForTesting() -> Self {
    Self(
      terms: sharedTerms, user: user, algorithms: algorithms, isConditional: isConditional,
      acceptableTrust: acceptableTrust,
      maximumCredentialIDByteCount: maximumCredentialIDByteCount, binding: binding)
  }

  /// The ceremony for a store, as canonical CBOR with a version.
  public var bytes: [UInt8] {
    var writer = PendingWriter(.registration, memberCount: binding == nil ? 6 : 7)
    terms.write(to: &writer)
    writer.write(.user, bytes: user.bytes)
    writer.write(.algorithms, items: algorithms) { (cbor, algorithm) in cbor.write(integer: algorithm.rawValue) }
    writer.write(.isConditional, bool: isConditional)
    writer.write(.acceptableTrust, number: UInt64(acceptableTrust.rawValue))
    writer.write(.maximumCredentialIDByteCount, integer: Int64(maximumCredentialIDByteCount))
    if let binding { writer.write(.binding, bytes: binding.digest) }
    return writer.bytes
  }

  /// Parses the output of ``bytes``, after the store has deleted it.
  ///
  /// - Throws: `ceremony.pending-malformed` or `ceremony.pending-version-unknown`.
  public init(taken bytes: Bytes) throws(CeremonyError) {
    self = try PendingCodec.read(bytes, .registration) { (members) throws in
      guard let acceptableTrust = UInt8(exactly: try members.require(.acceptableTrust).unsigned) else {
        throw CeremonyError(.pendingMalformed)
      }
      return Self(
        terms: Shared(try CeremonyTerms(members.require(.terms))),
        user: try UserHandle(members.require(.user).bytes),
        algorithms: try members.require(.algorithms).array.map { COSEAlgorithm(rawValue: try $0.integer) },
        isConditional: try members.require(.isConditional).bool,
        acceptableTrust: AcceptableTrust(rawValue: acceptableTrust),
        maximumCredentialIDByteCount: Int(clamping: try members.require(.maximumCredentialIDByteCount).integer),
        binding: try CeremonyBinding(members))
    }
  }

  /// Parses the output of ``bytes``, after the store has deleted it.
  ///
  /// - Throws: `ceremony.pending-malformed` or `ceremony.pending-version-unknown`.
  @inlinable
  public init(taken bytes: some Collection<UInt8>) throws(CeremonyError) {
    try self.init(taken: Bytes(bytes))
  }
}

extension PendingRegistration {
  /// The user, the RP ID and the expiry, for a log line.
  public var description: String {
    "registration of \(user) at \(terms.relyingPartyID) until \(expiry)"
  }
}
