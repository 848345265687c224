// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

// Limits
//   members 8 [real statements have at most two; each costs a signature and a path]

/// A statement that contains several statements (WebAuthn Level 3 §8.9).
struct CompoundAttestation {
  private var members: [(format: AttestationFormat, statement: CBORValue)] = []

  private static let memberCounts = 2...8

  // Parses an array of two or more statements, none of which is compound.
  init(parsing statement: CBORValue) throws(AttestationError) {
    let items = try mapError(statement.array) { (error: WireError) in AttestationError(.malformedStatement, error) }
    guard Self.memberCounts.contains(items.count) else {
      throw AttestationError(.compoundMemberCount, "\(items.count) members")
    }
    for item in items {
      let member = try AttestationStatement(item)
      let format = AttestationFormat(rawValue: try member.text("fmt"))
      guard format != .compound else { throw AttestationError(.compoundNested) }
      members.append((format, try member.require("attStmt") { $0 }))
    }
  }

  func verify(
    by verifier: AttestationVerifier, of ceremony: AttestedCeremony
  ) throws(AttestationError) -> AttestationOutcome {
    // 1. Verify each member by its own procedure. If one fails, the policy decides.
    var outcomes: [AttestationOutcome] = []
    var refused: [AttestationError] = []
    for (format, statement) in members {
      do throws(AttestationError) {
        outcomes.append(try verifier.verifySingle(statement, format, of: ceremony))
      } catch {
        // A compromised or revoked authenticator is refused, even if another statement is valid.
        guard verifier.policy.compound == .any, !error.isFinal else { throw error }
        refused.append(error)
      }
    }
    // 2. Enough members are valid; the outcome is that of the member with the strongest trust, and of these one whose model
    // is known, in any order.
    func strength(_ outcome: AttestationOutcome) -> (Int, Int) { (outcome.trust.rank, outcome.metadata == nil ? 0 : 1) }
    guard let strongest = outcomes.max(by: { strength($0) < strength($1) }) else {
      throw AttestationError(.compoundNoneHolds, refused.map(\.description).joined(separator: "; "))
    }
    return AttestationOutcome(
      format: .compound, type: strongest.type, trust: strongest.trust,
      provenClaims: outcomes.map(\.provenClaims).reduce(.nothing) { $0.union($1) },
      certificates: strongest.certificates, metadata: strongest.metadata, androidKey: strongest.androidKey,
      firmwareVersion: strongest.firmwareVersion,
      enterpriseSerialNumber: strongest.enterpriseSerialNumber, members: outcomes, refusedMembers: refused)
  }
}

extension AttestationError {
  fileprivate var isFinal: Bool { [.certificateRevoked, .authenticatorStatus, .authenticatorRogue].contains(code) }
}

extension AttestationOutcome.Trust {
  fileprivate var rank: Int {
    switch self {
    case .none: 0
    case .self: 1
    case .unanchored: 2
    case .anchored: 3
    }
  }
}
