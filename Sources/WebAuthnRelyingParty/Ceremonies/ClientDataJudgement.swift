// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// The checks of client data that both ceremonies make, each at its own step and with its own code.
struct ClientDataJudgement {
  private let clientData: ClientData
  private let challenge: Challenge
  private let origins: [Origin]
  private let embedding: CeremonyPolicy.Embedding
  private let steps: StepRecorder

  init(_ clientData: ClientData, _ terms: CeremonyTerms, _ steps: StepRecorder) {
    self.clientData = clientData
    challenge = terms.challenge
    origins = terms.origins
    embedding = terms.embedding
    self.steps = steps
  }

  func requireType(_ type: ClientDataType, _ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    try steps.require(
      clientData.type == type, step, code, "the type is \(type)", .init("\(type)", "\(clientData.type)"))
  }

  func requireChallenge(_ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    try steps.require(
      constantTimeEquals(clientData.challenge, challenge.bytes), step, code,
      "the challenge is the one that was sent", .init("\(challenge)", Base64URL.encode(clientData.challenge)))
  }

  /// §13.4.9.
  func requireOrigin(_ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    try steps.require(
      origins.contains { $0.isWritten(as: clientData.originUTF8) }, step, code, "the origin is one of ours",
      .init(list(origins), clientData.origin))
  }

  func requireFrame(_ step: Int, _ code: CeremonyError.Code) throws(CeremonyError) {
    guard clientData.crossOrigin == true else { return steps.note(step, "the page was not inside a foreign one") }
    try steps.require(
      embedding != .refused, step, code, "the page may be inside a foreign one",
      .init("crossOrigin false", "crossOrigin true"))
  }

  func requireTopOrigin(
    _ step: Int, _ refused: CeremonyError.Code, _ mismatch: CeremonyError.Code
  ) throws(CeremonyError) {
    guard let topOrigin = clientData.topOriginUTF8 else { return steps.note(step, "no foreign page is named") }
    guard case .allowed(let topOrigins) = embedding else {
      return try steps.require(
        false, step, refused, "the page may be inside a foreign one",
        .init("no top origin", clientData.topOrigin ?? ""))
    }
    try steps.require(
      topOrigins.contains { $0.isWritten(as: topOrigin) }, step, mismatch,
      "the foreign page is one that may embed ours",
      .init(list(topOrigins), clientData.topOrigin ?? ""))
  }

  private func list(_ origins: [Origin]) -> String {
    origins.map(\.text).joined(separator: " or ")
  }
}
