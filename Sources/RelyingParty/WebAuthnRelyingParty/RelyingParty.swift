// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
public import WebAuthnAttestation
public import WebAuthnTypes

/// A relying party: the RP ID of its passkeys, the origins that may use them, and the policy of its ceremonies.
///
/// Create one at start-up and keep it. It is safe to use from any number of threads. Four methods run all ceremonies:
/// ``beginRegistration(of:excluding:mediation:userVerification:attachment:attestation:algorithms:hints:extensions:binding:at:random:)``,
/// ``finishRegistration(_:pending:binding:existing:at:trace:)-(RegistrationResponse,_,_,_,_,_)``,
/// ``beginAuthentication(of:purpose:userVerification:lifetime:hints:extensions:binding:at:random:)`` and
/// ``finishAuthentication(_:pending:binding:credential:purpose:at:trace:)-(AuthenticationResponse,_,_,_,_,_,_)``.
///
/// ```swift
/// let relyingParty = try RelyingParty(
///   id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
/// ```
public struct RelyingParty: Sendable {
  /// The domain to which passkeys are bound. Changing it invalidates all existing passkeys.
  public var id: RelyingPartyID { configuration.id }

  /// The user-visible name of the service.
  package var name: String { configuration.name }

  /// The origins on which ceremonies may take place.
  public var origins: [WebOrigin] { configuration.origins }

  /// The requirements of ceremonies.
  public var policy: CeremonyPolicy { configuration.policy }

  var idHash: [UInt8] { configuration.idHash }

  /// A hash of what is the same for all ceremonies of this relying party: its RP ID, its origins, and its policy for
  /// client data and signals.
  var termsDigest: [UInt8] { configuration.termsDigest }
  var attestation: AttestationVerifier { configuration.attestation }

  private let configuration: Configuration

  /// The immutable configuration. Every ceremony refers to it, so it is shared and not copied.
  private final class Configuration: Sendable {
    let id: RelyingPartyID
    let name: String
    let origins: [WebOrigin]
    let policy: CeremonyPolicy
    let idHash: [UInt8]
    let termsDigest: [UInt8]
    let attestation: AttestationVerifier

    init(id: RelyingPartyID, name: String, origins: [WebOrigin], policy: CeremonyPolicy) {
      self.id = id
      self.name = name
      self.origins = origins
      self.policy = policy
      idHash = Digest.sha256([UInt8](id.text.utf8))
      termsDigest = Digest.sha256(policy.termBytes(id, origins))
      attestation = AttestationVerifier(policy: policy.attestation)
    }
  }

  /// Creates a relying party. Refuses a configuration with which every ceremony would fail.
  ///
  /// - Throws: `ceremony.configuration-invalid` without an origin, or for an algorithm that this build does not
  ///   verify; `ceremony.origin-insecure` for an origin that is neither https nor localhost; `ceremony.name-empty`.
  public init(
    id: RelyingPartyID, name: String, origins: [WebOrigin], policy: CeremonyPolicy = CeremonyPolicy()
  ) throws(CeremonyError) {
    guard !origins.isEmpty else {
      throw CeremonyError(.configurationInvalid, .init("at least one origin", "none"))
    }
    let embedding = if case .allowed(let topOrigins) = policy.embedding { topOrigins } else { [] as [WebOrigin] }
    for origin in origins + embedding where !origin.isSecure {
      throw CeremonyError(.originInsecure, .init("https (or localhost)", origin.text))
    }
    guard !name.allSatisfy(\.isWhitespace) else {
      throw CeremonyError(.nameEmpty, .init("a name for users", "\"\(name)\""))
    }
    try Self.requireSupported(policy.algorithms)
    configuration = Configuration(id: id, name: name, origins: origins, policy: policy)
  }

  /// Returns a relying party that differs only in the attestation it accepts and the authorities it trusts. Use it when
  /// newer metadata or revocation lists arrive; pending ceremonies of either can be finished by the other.
  public func replacing(attestation: AttestationPolicy) -> RelyingParty {
    var policy = policy
    policy.attestation = attestation
    return RelyingParty(Configuration(id: id, name: name, origins: origins, policy: policy))
  }

  private init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// Verifies that the list is not empty and that this build verifies each algorithm in it.
  static func requireSupported(_ algorithms: [COSEAlgorithm]) throws(CeremonyError) {
    let unsupported = algorithms.filter { !supportedAlgorithms.contains($0) || $0 == .rs1 }
    guard unsupported.isEmpty, !algorithms.isEmpty else {
      throw CeremonyError(
        .configurationInvalid, .init("algorithms that this build verifies", "\(unsupported.map(\.description))"))
    }
  }

  func checkLifetime(of terms: CeremonyTerms, at now: UnixTime) throws(CeremonyError) {
    guard terms.relyingPartyID == id else {
      throw CeremonyError(.pendingOfAnotherRelyingParty, .init(id.text, terms.relyingPartyID.text))
    }
    // A time before the start is accepted: the clocks of two servers can differ, and this code cannot tell which is
    // right.
    guard now <= terms.expiry else {
      throw CeremonyError(.expired, .init("until \(terms.expiry)", "\(now)"))
    }
  }

  /// Verifies that the presented binding equals the one at the start. A ceremony that was begun without a binding
  /// cannot be finished with one: an attacker may have begun it without a browser, for another user's browser to
  /// finish.
  func check(_ presented: CeremonyBinding?, for begun: CeremonyBinding?) throws(CeremonyError) {
    guard CeremonyBinding.isSame(begun, presented) else { throw CeremonyError(.bindingMismatch) }
  }

  static let challengeByteCount = 32
}

extension WebOrigin {
  /// Whether clients offer ceremonies on this origin. The API exists in secure contexts only, which over http means
  /// localhost (WebAuthn §4, "RP ID"; Secure Contexts §3.1). Origins of applications do not use a network scheme.
  var isSecure: Bool {
    guard case .web(let scheme, let host, _) = kind else { return true }
    return scheme == "https" || host == "localhost" || host.hasSuffix(".localhost")
  }
}

extension CeremonyPolicy {
  /// The encoded parameters of ``RelyingParty/termsDigest``.
  fileprivate func termBytes(_ id: RelyingPartyID, _ origins: [WebOrigin]) -> [UInt8] {
    let topOrigins: CBORTree =
      if case .allowed(let topOrigins) = embedding { .array(topOrigins.map { .text($0.text) }) } else { .null }
    return CBORWriter.bytes(
      of: [
        .text(id.text), .array(origins.map { .text($0.text) }), topOrigins, .unsigned(refusals.rawValue),
        .bool(textValuedStoredKeys == .refused),
      ])
  }
}
