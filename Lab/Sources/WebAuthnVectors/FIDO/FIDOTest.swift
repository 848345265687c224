// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// A suite of FIDO's conformance tool for servers.
package struct FIDOSuite: Sendable {
  /// The identifier, such as `Server-ServerAuthenticatorAttestationResponse-Resp-1`.
  package let id: String

  /// The tests in the order of the tool.
  package let tests: [FIDOTest]

  /// Every suite, in the order of the tool.
  package static let all: [FIDOSuite] = registrations + authentications + [metadata]

  init(_ id: String, _ tests: [FIDOTest]) {
    self.id = "Server-\(id)"
    self.tests = tests
  }
}

/// A test of FIDO's conformance tool for servers: its identifier, our case for it, and what a server must do.
///
/// The identifiers are facts that others published. The case is this project's own: nothing of the tool is used.
package struct FIDOTest: Sendable {
  /// The name within the suite: `P-n` for what a server must accept, `F-n` for what it must refuse.
  package let name: String

  /// The case in English, a clause without a full stop.
  package var words: String

  /// A remark about a test that differs from its case.
  package private(set) var note: String?

  var ceremony: Ceremony
  var refusal: Refusal?

  /// The request for options.
  var request = FIDORequest()

  /// The model whose device answers.
  var model = FIDOModel.packed

  /// The counter in the registration before a sign-in.
  var registeredSignCount: UInt32 = 0

  /// The code with which the server must refuse the BLOB of the model, if the BLOB is to blame.
  var blobRefusal: [String] = []

  enum Ceremony: Sendable {
    /// A check of the options alone.
    case options(FIDOOptionsCheck)
    case registration(RegistrationScenario)
    case authentication(AuthenticationScenario)
  }

  /// Whether a server must accept the case.
  package var isAccepted: Bool { refusal == nil }
}

/// The choices of a test in its request for options.
struct FIDORequest: Sendable {
  var userVerification = "preferred"
  var attestation = "direct"
}

// MARK: Making tests

extension FIDOTest {
  /// Makes a registration.
  static func register(
    _ name: String, saying words: String? = nil, for algorithm: COSEAlgorithm = .es256,
    by attestation: AttestationKind = .packed(), of model: FIDOModel = .packed, _ faults: Fault...
  ) -> Self {
    Self(
      name: name, words: words ?? faults.words,
      ceremony: .registration(RegistrationScenario(name, algorithm, attestation, faults)), model: model)
  }

  /// Makes a sign-in with a passkey that was registered before.
  static func signIn(_ name: String, saying words: String? = nil, _ faults: Fault...) -> Self {
    Self(
      name: name, words: words ?? faults.words,
      ceremony: .authentication(AuthenticationScenario(name, faults)), model: .selfAttesting)
  }

  /// Makes a check of options.
  static func options(_ check: FIDOOptionsCheck, _ name: String, _ words: String) -> Self {
    Self(name: name, words: words, ceremony: .options(check), model: .selfAttesting)
  }

  /// Makes the request for options.
  func asking(_ change: (inout FIDORequest) -> Void) -> Self {
    var copy = self
    change(&copy.request)
    return copy
  }

  /// Registers with this counter before the sign-in.
  func afterCounting(to count: UInt32) -> Self {
    var copy = self
    copy.registeredSignCount = count
    return copy
  }

  /// Adds a remark.
  func noting(_ note: String) -> Self {
    var copy = self
    copy.note = note
    return copy
  }

  /// A remark about an `id` that is not base64url.
  static let idNote = "The library compares id with rawId as text, and decodes only rawId."

  /// Expects an error in this step of the ceremony.
  func refused(_ code: CeremonyError.Code, _ step: Int, _ causes: String...) -> Self {
    refused(code.rawValue, step, causes)
  }

  /// Expects a response that cannot be read.
  func unreadable(_ code: FormatError.Code, _ causes: String...) -> Self {
    refused(code.rawValue, nil, causes)
  }

  /// Expects an invalid attestation statement (§7.1 step 22).
  func statementRefused(_ code: AttestationError.Code, _ causes: String...) -> Self {
    refused(CeremonyError.Code.registrationAttestationInvalid.rawValue, 22, [code.rawValue] + causes)
  }

  /// Expects an attestation that the policy does not accept (§7.1 step 24).
  func untrusted(_ code: AttestationError.Code, _ causes: String...) -> Self {
    refused(CeremonyError.Code.registrationAttestationNotAcceptable.rawValue, 24, [code.rawValue] + causes)
  }

  /// Expects that the server refuses the BLOB with the model, so that the model is unknown.
  func unknown(becauseOf codes: String...) -> Self {
    var copy = untrusted(.unanchoredNotAcceptable)
    copy.blobRefusal = codes
    return copy
  }

  func refused(_ code: String, _ step: Int?, _ causes: [String]) -> Self {
    var copy = self
    copy.refusal = Refusal(why: words, code: code, step: step, causes: causes)
    return copy
  }
}

extension [Fault] {
  fileprivate var words: String { map(\.name).joined(separator: ", and ") }
}

extension FIDOTest {
  /// The section of WebAuthn Level 3 whose steps the refusal counts; nil for options.
  var section: String? {
    switch ceremony {
    case .options: nil
    case .registration: "7.1"
    case .authentication: "7.2"
    }
  }

  /// The faults of the response.
  var faults: [Fault] {
    switch ceremony {
    case .options: []
    case .registration(let scenario): scenario.faults
    case .authentication(let scenario): scenario.faults
    }
  }
}
