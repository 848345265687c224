// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnAttestation
public import WebAuthnTypes
internal import WireFormats

/// A relying party: the name under which passkeys are made, the origins that may use them, and what is demanded.
///
/// Make one at start-up and keep it; it may be used from any number of threads. Four verbs do everything:
/// ``beginRegistration(of:excluding:mediation:userVerification:attachment:attestation:algorithms:hints:extensions:binding:at:random:)``,
/// ``finishRegistration(_:pending:binding:existing:at:trace:)``,
/// ``beginAuthentication(of:purpose:userVerification:hints:extensions:binding:at:random:)`` and
/// ``finishAuthentication(_:pending:binding:credential:purpose:at:trace:)``.
///
/// ```swift
/// let relyingParty = try RelyingParty(
///   id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [Origin("https://raxx.app")])
/// ```
public struct RelyingParty: Sendable {
  /// The domain under which passkeys are made. It never changes once there are any.
  public var id: RelyingPartyID { configuration.id }

  /// What people call the service.
  public var name: String { configuration.name }

  /// Where ceremonies may take place.
  public var origins: [Origin] { configuration.origins }

  /// What is demanded of ceremonies.
  public var policy: CeremonyPolicy { configuration.policy }

  var idHash: [UInt8] { configuration.idHash }
  var attestation: AttestationVerifier { configuration.attestation }

  private let configuration: Configuration

  /// What is chosen once. Every ceremony holds it, so it is shared and not copied.
  private final class Configuration: Sendable {
    let id: RelyingPartyID
    let name: String
    let origins: [Origin]
    let policy: CeremonyPolicy
    let idHash: [UInt8]
    let attestation: AttestationVerifier

    init(id: RelyingPartyID, name: String, origins: [Origin], policy: CeremonyPolicy) {
      self.id = id
      self.name = name
      self.origins = origins
      self.policy = policy
      idHash = Digest.sha256([UInt8](id.text.utf8)[...])
      attestation = AttestationVerifier(policy: policy.attestation)
    }
  }

  /// Takes the configuration. What no ceremony could succeed with is refused: no origin, an origin that is neither https nor
  /// localhost's, no name, or an algorithm that this build does not verify.
  public init(
    id: RelyingPartyID, name: String, origins: [Origin], policy: CeremonyPolicy = CeremonyPolicy()
  ) throws(CeremonyError) {
    guard !origins.isEmpty else {
      throw CeremonyError(.configurationInvalid, .init("an origin at least", "none"))
    }
    let embedding = if case .allowed(let topOrigins) = policy.embedding { topOrigins } else { [] as [Origin] }
    for origin in origins + embedding where !origin.isSecure {
      throw CeremonyError(.originInsecure, .init("https, but for localhost", origin.text))
    }
    guard !name.allSatisfy(\.isWhitespace) else {
      throw CeremonyError(.nameEmpty, .init("what people call the service", "\"\(name)\""))
    }
    try Self.requireSupported(policy.algorithms)
    configuration = Configuration(id: id, name: name, origins: origins, policy: policy)
  }

  /// At least one algorithm, each of which this build verifies.
  static func requireSupported(_ algorithms: [COSEAlgorithm]) throws(CeremonyError) {
    let unsupported = algorithms.filter { !supportedAlgorithms.contains($0) || $0 == .rs1 }
    guard unsupported.isEmpty, !algorithms.isEmpty else {
      throw CeremonyError(
        .configurationInvalid, .init("algorithms that this build verifies", "\(unsupported.map(\.description))"))
    }
  }

  func checkLifetime(of terms: Shared<CeremonyTerms>, at now: Timestamp) throws(CeremonyError) {
    guard terms.value.relyingPartyID == id else {
      throw CeremonyError(.pendingOfAnotherRelyingParty, .init(id.text, terms.value.relyingPartyID.text))
    }
    // A time before the beginning passes: of two servers one has the slower clock, and which of them is right is not known
    // here.
    guard now <= terms.value.expiry else {
      throw CeremonyError(.expired, .init("until \(terms.value.expiry)", "\(now)"))
    }
  }

  /// One that was begun without a binding is not finished with one: an attacker may have begun it without a browser, for
  /// another user's browser to finish.
  func check(_ presented: CeremonyBinding?, for begun: CeremonyBinding?) throws(CeremonyError) {
    guard CeremonyBinding.isSame(begun, presented) else { throw CeremonyError(.bindingMismatch) }
  }

  static let challengeByteCount = 32
}
