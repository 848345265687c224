// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// The client data checks that both ceremonies share. The caller passes the step number and the error code.
struct ClientDataJudgement {
  private let clientData: ClientData
  private let sharedTerms: Shared<CeremonyTerms>
  private let steps: StepRecorder

  init(_ clientData: consuming ClientData, _ terms: Shared<CeremonyTerms>, _ steps: StepRecorder) {
    self.clientData = clientData
    sharedTerms = terms
    self.steps = steps
  }

  private var terms: CeremonyTerms { sharedTerms.value }

  func requireType(_ type: ClientDataType, _ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    try steps.require(
      clientData.type == type, step, code, "the type is \(type)", .init("\(type)", "\(clientData.type)"))
  }

  func requireChallenge(_ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    try steps.require(
      constantTimeEquals(clientData.challenge, terms.challenge.bytes), step, code,
      "the challenge matches", .init("\(terms.challenge)", Base64URL.encode(clientData.challenge)))
  }

  /// §13.4.9.
  func requireOrigin(_ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    try steps.require(
      isOne(of: terms.origins, clientData.originUTF8), step, code, "the origin is allowed",
      .init(list(terms.origins), clientData.origin))
  }

  func requireFrame(_ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    guard clientData.crossOrigin == true else { return steps.note(step, "the page was not embedded cross-origin") }
    try steps.require(
      terms.embedding != .refused, step, code, "the page may be embedded cross-origin",
      .init("crossOrigin false", "crossOrigin true"))
  }

  func requireTopOrigin(
    _ step: Int, _ refused: CeremonyError.Code, _ mismatch: CeremonyError.Code
  ) throws(CeremonyError) {
    guard let topOrigin = clientData.topOriginUTF8 else {
      guard clientData.crossOrigin == true, terms.topOriginNaming == .required else {
        return steps.note(step, "no top origin is named")
      }
      return try steps.require(
        false, step, mismatch, "the top origin is named", .init("a top origin", "crossOrigin true without one"))
    }
    guard case .allowed(let topOrigins) = terms.embedding else {
      return try steps.require(
        false, step, refused, "the page may be embedded cross-origin",
        .init("no top origin", clientData.topOrigin ?? ""))
    }
    try steps.require(
      isOne(of: topOrigins, topOrigin), step, mismatch,
      "the top origin is allowed",
      .init(list(topOrigins), clientData.topOrigin ?? ""))
  }

  /// Returns whether the list contains the origin. Uses a span, because iterating over an array copies its elements.
  private func isOne(of origins: [Origin], _ written: Bytes) -> Bool {
    let origins = origins.span
    for index in origins.indices where origins[index].isSerialized(as: written) { return true }
    return false
  }

  private func list(_ origins: [Origin]) -> String {
    origins.map(\.text).joined(separator: " or ")
  }
}
