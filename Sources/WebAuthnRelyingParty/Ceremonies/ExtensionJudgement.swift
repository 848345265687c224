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
    let names = client.values.keys + (authenticator?.compactMap { try? $0.key.text } ?? [])
    let unrequested = names.filter { !terms.requestedExtensions.contains($0) }.sorted()
    try steps.require(
      unrequested.isEmpty, step, code, "the extensions are ones that were asked for",
      .init(
        terms.requestedExtensions.sorted().joined(separator: ", "), unrequested.joined(separator: ", ")))
  }
}
