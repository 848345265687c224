// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The client data checks that both ceremonies share. The caller passes the step number and the error code.
struct ClientDataChecks {
  let clientData: ClientData
  private let terms: CeremonyTerms
  private let steps: StepRecorder

  init(_ clientData: ClientData, _ terms: CeremonyTerms, _ steps: StepRecorder) {
    self.clientData = clientData
    self.terms = terms
    self.steps = steps
  }

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
      terms.origins.contains { $0.isSerialized(as: clientData.originUTF8) }, step, code, "the origin is allowed",
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
      guard clientData.crossOrigin == true, terms.refusals.contains(.unnamedTopOrigin) else {
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
      topOrigins.contains { $0.isSerialized(as: topOrigin) }, step, mismatch,
      "the top origin is allowed",
      .init(list(topOrigins), clientData.topOrigin ?? ""))
  }

  private func list(_ origins: [WebOrigin]) -> String {
    origins.map(\.text).joined(separator: " or ")
  }
}
