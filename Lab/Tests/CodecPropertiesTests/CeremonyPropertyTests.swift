// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import CodecProperties

/// Ensures that some seeds pass all steps: a property would also hold if every seed were rejected.
@Suite struct CeremonyPropertyTests {
  private func seed(_ codec: Codec, _ name: String) throws -> Bytes {
    try File.bytes("\(projectFolder)/Vectors/corpus/\(codec.rawValue)/\(name)")[...]
  }

  @Test(arguments: ["none", "packed-self", "extensions"])
  func `complete seeds of a registration are accepted`(name: String) throws {
    let stage = try CeremonyStage.kept
    let response = try RegistrationResponse(json: seed(.registrationCeremony, name))
    let result = try stage.relyingParty.finishRegistration(
      response, pending: PendingRegistration(taken: [UInt8](stage.registration)), existing: .notFound, at: stage.now)
    #expect(result.credential.record.publicKey == stage.credential.record.publicKey)
  }

  @Test(arguments: ["whole", "no-user-handle", "extensions", "counter-back", "with-credential-data"])
  func `complete seeds of a sign-in are accepted`(name: String) throws {
    let stage = try CeremonyStage.kept
    let response = try AuthenticationResponse(json: seed(.authenticationCeremony, name))
    let result = try stage.relyingParty.finishAuthentication(
      response, pending: PendingAuthentication(taken: [UInt8](stage.authentication)), credential: stage.credential,
      at: stage.now
    )
    #expect(result.counter.isSuspicious == (name == "counter-back"))
  }

  @Test func `rejects a seed whose origin names the default port`() throws {
    let stage = try CeremonyStage.kept
    let response = try AuthenticationResponse(json: seed(.authenticationCeremony, "port-named"))
    let error = #expect(throws: CeremonyError.self) {
      try stage.relyingParty.finishAuthentication(
        response, pending: PendingAuthentication(taken: [UInt8](stage.authentication)), credential: stage.credential,
        at: stage.now)
    }
    #expect(error?.code == .authenticationOriginMismatch && error?.step == 12)
  }

  @Test func `accepts a payload signed by the property, and its token`() throws {
    let service = try MetadataService.kept
    let blob = try service.read(service.token(of: seed(.metadata, "two-entries")))
    #expect(blob.entries.count == 2)
    #expect(try service.read(Array(seed(.metadata, "token"))).entries.count == 1)
  }

  @Test func `reads each type of pending ceremony`() throws {
    for name in ["registration", "conditional"] {
      _ = try PendingRegistration(taken: [UInt8](seed(.pending, name)))
    }
    for name in ["authentication", "from-response", "step-up", "payment"] {
      _ = try PendingAuthentication(taken: [UInt8](seed(.pending, name)))
    }
  }
}
