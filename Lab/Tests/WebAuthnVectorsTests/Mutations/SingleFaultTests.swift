// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// Introduces one fault at a time into every valid recorded ceremony. Each must be refused in the first step that covers the
/// fault, or accepted where no step does.
@Suite struct SingleFaultTests {
  @Test(arguments: PositiveCases.files) func `every valid case is verified when it is rebuilt from its parts`(
    file: String
  ) throws {
    let cases = try PositiveCases.cases(in: file)
    for positive in cases {
      let verdict =
        switch positive.recorded.ceremony {
        case .registration: positive.verdict(of: try positive.registration())
        case .authentication: positive.verdict(of: try positive.authentication())
        }
      #expect(verdict == .verified, "\(positive.id)")
    }
  }

  @Test func `the corpus covers both ceremonies, every format, and cases with known private keys`() throws {
    let cases = try PositiveCases.files.flatMap { try PositiveCases.cases(in: $0) }
    let registrations = cases.filter { $0.recorded.ceremony == .registration }
    let authentications = cases.filter { $0.recorded.ceremony == .authentication }
    #expect(registrations.count > 50)
    #expect(authentications.count > 40)
    let formats = Set(try registrations.map { try $0.registration().format })
    #expect(
      formats.isSuperset(of: ["none", "packed", "tpm", "android-key", "android-safetynet", "apple", "fido-u2f"]))
    #expect(try authentications.filter { try $0.authentication().signingKey != nil }.count >= 30)
  }

  @Test(arguments: PositiveCases.files) func `client data with one fault are refused in the expected step`(
    file: String
  ) throws {
    try judge(file) {
      try $0.clientData()
    } authentications: {
      try $0.clientData()
    }
  }

  @Test(arguments: PositiveCases.files) func `authenticator data with one fault are refused in the expected step`(
    file: String
  ) throws {
    try judge(file) {
      try $0.authenticatorData()
    } authentications: {
      try $0.authenticatorData()
    }
  }

  @Test(arguments: PositiveCases.files)
  func `signatures and statements with one fault are refused in the expected step`(file: String) throws {
    try judge(file) {
      try $0.statements()
    } authentications: {
      try $0.signatures()
    }
  }

  @Test(arguments: PositiveCases.files)
  func `keys, credentials and records with one fault are refused in the expected step`(file: String) throws {
    try judge(file) {
      try $0.credential()
    } authentications: {
      try $0.records()
    }
  }

  @Test func `a certificate path with one fault is not anchored`() throws {
    let cases = try PositiveCases.files.flatMap { try PositiveCases.cases(in: $0) }
      .filter { $0.recorded.ceremony == .registration }
    let strangers = try Set(cases.flatMap { $0.recorded.trustAnchors ?? [] }).map { try X509Certificate(der: $0[...]) }
    var failures = Failures()
    for positive in cases {
      for fault in try TrustFault.all(of: positive, strangers: strangers) {
        failures.judge(try fault.verdict(of: positive), TrustFault.expected, "\(positive.id): \(fault.name)")
      }
    }
    #expect(failures.isEmpty, "\(failures)")
    #expect(failures.count > 150)
  }

  /// In the change tier every tenth mutant, otherwise all of them.
  private func sample<Attempt>(_ mutants: [Mutant<Attempt>]) -> [Mutant<Attempt>] {
    let distance = Tier.choose(change: 10, merge: 1, night: 1)
    return stride(from: 0, to: mutants.count, by: distance).map { mutants[$0] }
  }

  /// Compares the verdict on every mutant of a file with its expectation.
  private func judge(
    _ file: String, registrations: (RegistrationMutants) throws -> [Mutant<RegistrationAttempt>],
    authentications: (AuthenticationMutants) throws -> [Mutant<AuthenticationAttempt>]
  ) throws {
    var failures = Failures()
    let cases = try PositiveCases.cases(in: file)
    for positive in cases {
      switch positive.recorded.ceremony {
      case .registration:
        for mutant in sample(try registrations(RegistrationMutants(positive))) {
          failures.judge(positive.verdict(of: mutant.attempt), mutant.expected, "\(positive.id): \(mutant.name)")
        }
      case .authentication:
        for mutant in sample(try authentications(AuthenticationMutants(positive))) {
          failures.judge(positive.verdict(of: mutant.attempt), mutant.expected, "\(positive.id): \(mutant.name)")
        }
      }
    }
    #expect(failures.isEmpty, "\(failures)")
    #expect(failures.count >= cases.count)
  }
}

/// The mutants with an unexpected verdict.
private struct Failures: CustomStringConvertible {
  private(set) var count = 0
  private var lines: [String] = []

  var isEmpty: Bool { lines.isEmpty }

  mutating func judge(_ verdict: Verdict, _ expected: Verdict, _ name: @autoclosure () -> String) {
    count += 1
    if !verdict.meets(expected) { lines.append("\(name()): expected \(expected), got \(verdict)") }
  }

  var description: String { "\(lines.count) of \(count):\n" + lines.prefix(20).joined(separator: "\n") }
}
