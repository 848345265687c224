// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// Whether there are outputs of extensions that nobody asked for. The standard lets a relying party pass them over or
/// refuse them; what the outputs say is for whoever asked.
struct ExtensionJudgement {
  private let terms: CeremonyTerms
  private let steps: StepRecorder

  init(_ terms: CeremonyTerms, _ steps: StepRecorder) {
    self.terms = terms
    self.steps = steps
  }

  func judge(
    _ client: ClientExtensions, _ authenticator: CBORMap?, _ step: Int, _ code: CeremonyError.Code
  ) throws(CeremonyError) {
    guard terms.unrequestedExtensions == .refused else {
      return steps.note(step, "outputs of extensions that were not asked for are passed over")
    }
    let unrequested =
      client.values.keys.filter { !terms.requestedExtensions.contains($0) }
      + (authenticator?.map { Self.name(of: $0.key) } ?? []).filter { !isRequestedOfAuthenticator($0) }
    try steps.require(
      unrequested.isEmpty, step, code, "the extensions are ones that were asked for",
      .init(
        terms.requestedExtensions.sorted().joined(separator: ", "), unrequested.sorted().joined(separator: ", ")))
  }

  private func isRequestedOfAuthenticator(_ name: String) -> Bool {
    terms.requestedExtensions.contains(name)
      || Self.authenticatorNames.contains { $0.value.contains(name) && terms.requestedExtensions.contains($0.key) }
  }

  /// A key that is no text is the name of no extension.
  private static func name(of key: CBORValue) -> String {
    (try? key.text) ?? CBORDiagnostic.text(of: key)
  }

  /// What clients ask an authenticator for under another name (WebAuthn §10.1.4, CTAP 2.3 §12).
  private static let authenticatorNames: [String: Set<String>] = [
    "prf": ["hmac-secret", "hmac-secret-mc"], "hmacCreateSecret": ["hmac-secret"], "hmacGetSecret": ["hmac-secret"],
    "credentialProtectionPolicy": ["credProtect"], "payment": ["thirdPartyPayment"],
  ]
}
