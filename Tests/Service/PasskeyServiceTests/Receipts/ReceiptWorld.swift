// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// A service with an audit log, and a user who confirms actions.
struct ReceiptWorld {
  let world: ServiceWorld
  let person: Person
  let session: AuthenticatedSession
  let key: NoteKey

  static let order = ProtectedAction(method: "POST", path: "/api/orders?now", body: Array(#"{"amount":10}"#.utf8))

  init() async throws {
    world = try ServiceWorld()
    try await world.service.claimStore(at: ServiceWorld.start)
    key = try NoteKey(#require(try await world.service.auditLog()).log.verifier)
    person = try Person()
    session = try await world.openSession("ada@raxx.app", person)
  }

  func confirm(_ action: ProtectedAction = order) async throws -> GrantedConfirmation {
    let options = try await world.service.beginStepUp(for: action, by: session, in: world.at())
    return try await world.service.finishStepUp(person.get(options), by: session, in: world.at(1))
  }

  func sign() async throws { _ = try await world.service.sweep(at: ServiceWorld.start) }

  /// Confirms an action, signs the log, and returns the receipt.
  func receipt(of action: ProtectedAction = order) async throws -> [UInt8] {
    let granted = try await confirm(action)
    try await sign()
    return try #require(try await world.service.receipt(for: granted, of: action))
  }

  var policy: ReceiptPolicy { ReceiptPolicy(relyingPartyID: "raxx.app", log: LogPolicy(logs: [key])) }

  /// Returns the error of a file; nil if it verifies.
  func error(of file: [UInt8], _ policy: ReceiptPolicy? = nil) -> ReceiptError.Code? {
    do throws(ReceiptError) {
      _ = try ActionReceipt(parsing: file[...]).verify(by: policy ?? self.policy)
      return nil
    } catch {
      return error.code
    }
  }
}

/// A receipt of a server that signs anything. Each part can be wrong.
struct ForgedReceipt {
  var relyingPartyID = "raxx.app"
  var signedAction = ReceiptWorld.order
  var type = ClientDataType.get
  var dataFor = "raxx.app"
  var flags: AuthenticatorFlags = [.userPresent, .userVerified]
  var event = AuditEvent.stepUpConfirmed
  var outcome = AuditDraft.success
  var recordedAction = ReceiptWorld.order
  var recordedAssertion: [UInt8]?
  var publicKey: Bytes?
  var origin = "raxx.app/audit/forged/1"

  /// Signs the parts, and returns the file and the key of the log.
  func file() throws -> (bytes: [UInt8], key: NoteKey) {
    let key = try SigningKey.generate(.es256, random: .system)
    let challenge = [UInt8](repeating: 1, count: 20) + signedAction.digest + [UInt8](repeating: 2, count: 17)
    let clientData = ClientData(
      type: type, challenge: Challenge(allowingGuessableLength: challenge), origin: try WebOrigin("https://raxx.app")
    ).encoded
    let data = try AuthenticatorData(
      relyingPartyIDHash: Digest.sha256(Array(dataFor.utf8))[...], flags: flags, signCount: 7
    ).encoded
    let assertion = ReceiptAssertion(
      publicKey: publicKey ?? key.publicKey.encoded[...], clientDataJSON: clientData, authenticatorData: data,
      signature: try key.sign(data + Digest.sha256(clientData))[...])
    let draft = AuditDraft(
      time: ServiceWorld.start, actor: nil, account: try UserHandle([1]), event: event,
      subject: AuditSubject.action(recordedAction.digest).text, outcome: outcome, requestID: "r",
      details: ["assertion": Base64URL.encode(recordedAssertion ?? assertion.digest), "attestation": "none"])
    let record = draft.logged().record.encoded
    let signer = try NoteSigner(
      name: origin, kind: .ed25519, signingKey: SigningKey.generate(.ed25519, random: .system))
    let checkpoint = try Checkpoint(origin: origin, size: 1, root: TreeHash(ofEntry: record))
    let proof = try LogProof(
      InclusionProof(index: 0, hashes: []), checkpoint: checkpoint.signed(by: signer, at: ServiceWorld.start),
      extra: DisclosedEntry(entry: record[...]).encoded)
    let receipt = try ActionReceipt(relyingPartyID, ReceiptWorld.order, assertion, proof: proof)
    return (receipt.encoded, signer.key)
  }

  func verify() throws -> ReceiptError.Code? {
    let (bytes, key) = try file()
    do throws(ReceiptError) {
      let policy = ReceiptPolicy(relyingPartyID: relyingPartyID, log: LogPolicy(logs: [key]))
      _ = try ActionReceipt(parsing: bytes[...]).verify(by: policy)
      return nil
    } catch {
      return error.code
    }
  }
}
