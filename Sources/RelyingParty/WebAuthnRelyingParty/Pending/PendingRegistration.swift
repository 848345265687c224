// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
public import PasskeyFormats
internal import WebAuthnAttestation
public import WebAuthnTypes

/// A pending registration: an immutable value with all data that finishing requires.
///
/// The value cannot be copied, and finishing consumes it: code that finishes the same value twice does not compile.
/// Keep ``bytes`` in a store that only the server can write. When the response arrives, read and delete the row in one
/// statement, and pass the bytes to `init(taken:)`.
public struct PendingRegistration: ~Copyable, Sendable {
  let terms: CeremonyTerms
  let algorithms: [COSEAlgorithm]
  let acceptableTrust: AttestationPolicy.AcceptableTrust
  let maximumCredentialIDByteCount: Int

  /// Whether the browser creates the passkey without a dialog (``RelyingParty/RegistrationMediation/conditional``).
  package let isConditional: Bool

  /// The user who registers the passkey.
  package let user: UserHandle

  /// The session that must finish the ceremony, if it was begun with a binding.
  let binding: CeremonyBinding?

  /// The time at which the ceremony expires.
  public var expiry: UnixTime { terms.expiry }

  /// The challenge, which a store may use as a key.
  public var challenge: Challenge { terms.challenge }

  init(
    terms: CeremonyTerms, user: UserHandle, algorithms: [COSEAlgorithm], isConditional: Bool,
    acceptableTrust: AttestationPolicy.AcceptableTrust, maximumCredentialIDByteCount: Int, binding: CeremonyBinding?
  ) {
    self.terms = terms
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
      terms: terms, user: user, algorithms: algorithms, isConditional: isConditional,
      acceptableTrust: acceptableTrust,
      maximumCredentialIDByteCount: maximumCredentialIDByteCount, binding: binding)
  }

  /// The ceremony for a store, as canonical CBOR with a version.
  public var bytes: [UInt8] {
    PendingCodec.bytes(.registration, terms) { (map) in
      writeMembers(to: &map)
      if let binding { map.write(.binding, bytes: binding.digest) }
    }
  }

  /// Writes the members that a stored and a sealed ceremony have.
  func writeMembers(to map: inout CBORMapWriter<PendingCodec.Key>) {
    map.write(.user, bytes: user.bytes)
    map.writeArray(.algorithms, algorithms) { (array, algorithm) in array.write(integer: algorithm.rawValue) }
    map.write(.isConditional, bool: isConditional)
    map.write(.acceptableTrust, unsigned: UInt64(acceptableTrust.rawValue))
    map.write(.maximumCredentialIDByteCount, integer: Int64(maximumCredentialIDByteCount))
  }

  /// Parses the output of ``bytes``, after the store has deleted it.
  ///
  /// - Throws: `ceremony.pending-malformed` or `ceremony.pending-version-unknown`.
  public init(taken bytes: [UInt8]) throws(CeremonyError) {
    self = try PendingCodec.read(bytes, .registration) { (members) throws in
      guard let acceptableTrust = UInt8(exactly: try members.unsigned(.acceptableTrust)) else {
        throw CeremonyError(.pendingMalformed)
      }
      return Self(
        terms: try CeremonyTerms(members.value(.terms)),
        user: try UserHandle(members.bytes(.user)),
        algorithms: try members.value(.algorithms).array.map { COSEAlgorithm(rawValue: try $0.integer) },
        isConditional: try members.bool(.isConditional),
        acceptableTrust: AttestationPolicy.AcceptableTrust(rawValue: acceptableTrust),
        maximumCredentialIDByteCount: Int(clamping: try members.integer(.maximumCredentialIDByteCount)),
        binding: try CeremonyBinding(members))
    }
  }
}

extension PendingRegistration {
  /// The user, the RP ID and the expiry, for a log line.
  package var description: String {
    "registration of \(user) at \(terms.relyingPartyID) until \(expiry)"
  }
}
