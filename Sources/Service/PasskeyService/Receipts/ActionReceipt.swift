// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyTransparencyLog

// { "receipt": 1, "rpId", "action": { "method", "path", "bodySha256" | "body" }, "publicKey", "clientDataJSON",
//   "authenticatorData", "signature", "record", "index", "hashes", "checkpoint" }
//
// Documentation/Receipts.md is the specification. A receipt has one spelling: members in this order, no white space, and no
// escapes that JSON does not require.
//
// Limits:
//   file:   64 KiB   [the body of an action, and a checkpoint with the cosignatures of many witnesses]
//   hashes: 63       [the height of the largest tree]

/// A confirmed action as one file that a stranger verifies offline. Nothing in it is verified before ``verify(by:)``.
package struct ActionReceipt: Hashable, Sendable {
  /// The RP ID.
  package let relyingPartyID: String

  /// The confirmed action.
  package let action: ProtectedAction

  /// The body of the action; nil if the receipt has only its hash.
  package let body: [UInt8]?

  /// The assertion.
  package let assertion: ReceiptAssertion

  /// The record of the confirmation in the audit log.
  package let record: Bytes

  /// The proof that the log has the record.
  package let inclusion: InclusionProof

  /// The checkpoint that the proof leads to.
  package let checkpoint: SignedNote

  /// The largest receipt.
  package static let maximumByteCount = 65_536

  private static let version = 1
  private static let maximumHashCount = 63

  /// Creates a receipt from its parts, with the record of a proof.
  ///
  /// - Parameters:
  ///   - relyingPartyID: The RP ID.
  ///   - action: The action.
  ///   - body: The body of the action, to put in place of its hash; nil for the hash.
  ///   - assertion: The assertion.
  ///   - proof: The proof of the record, with the record as extra data.
  /// - Throws: `receipt.malformed` if the proof has no record, or a part has characters that a receipt does not allow.
  package init(
    _ relyingPartyID: String, _ action: ProtectedAction, body: [UInt8]? = nil, _ assertion: ReceiptAssertion,
    proof: LogProof
  ) throws(ReceiptError) {
    guard let extra = proof.extra, let disclosed = try? DisclosedEntry(parsing: extra) else {
      throw ReceiptError(.malformed, "a proof without its record")
    }
    // A receipt names no address of the client, which the extra data may contain.
    try self.init(
      relyingPartyID: relyingPartyID, action: action, body: body, assertion: assertion, record: disclosed.entry,
      inclusion: proof.inclusion, checkpoint: proof.checkpoint)
  }

  private init(
    relyingPartyID: String, action: ProtectedAction, body: [UInt8]?, assertion: ReceiptAssertion,
    record: some ByteSource, inclusion: InclusionProof, checkpoint: SignedNote
  ) throws(ReceiptError) {
    let texts = [
      Bytes(relyingPartyID.utf8), Bytes(action.method.utf8), Bytes(action.path.utf8), assertion.clientDataJSON,
    ]
    guard texts.allSatisfy({ (text) in text.allSatisfy { (byte) in 0x20...0x7e ~= byte } }) else {
      throw ReceiptError(.malformed, "characters other than printable ASCII")
    }
    self.relyingPartyID = relyingPartyID
    self.action = action
    self.body = body
    self.assertion = assertion
    self.record = record.slice
    self.inclusion = inclusion
    self.checkpoint = checkpoint
  }

  /// Returns the receipt with the body of the action in place of its hash.
  ///
  /// - Throws: `receipt.action-mismatch` if it is the body of another action.
  package func disclosing(_ body: [UInt8]) throws(ReceiptError) -> ActionReceipt {
    guard action == ProtectedAction(method: action.method, path: action.path, body: body) else {
      throw ReceiptError(.actionMismatch, "the body is not that of the action")
    }
    return try ActionReceipt(
      relyingPartyID: relyingPartyID, action: action, body: body, assertion: assertion, record: record,
      inclusion: inclusion, checkpoint: checkpoint)
  }

  /// Returns the receipt with another proof of the same record, such as one whose checkpoint has cosignatures of witnesses.
  ///
  /// - Throws: `receipt.record-mismatch` if the proof is of another record.
  package func proven(by proof: LogProof) throws(ReceiptError) -> ActionReceipt {
    let other = try ActionReceipt(relyingPartyID, action, body: body, assertion, proof: proof)
    guard other.record == record else { throw ReceiptError(.recordMismatch, "the proof is of another record") }
    return other
  }

  /// Parses a receipt.
  ///
  /// - Throws: `receipt.malformed`.
  package init(parsing file: some ByteSource) throws(ReceiptError) {
    let file = file.slice
    do {
      let object = try JSON.parse(file, maximumSize: Self.maximumByteCount)
      let version = try object.require("receipt").integer(Int.self)
      guard version == Self.version else { throw ReceiptError(.malformed, "version \(version)") }
      let action = try object.require("action")
      let (method, path) = (try action.require("method").string, try action.require("path").string)
      let body = try action["body"]?.base64URL
      let hashes = try object.require("hashes").base64URL
      guard hashes.count.isMultiple(of: TreeHash.byteCount),
        hashes.count <= Self.maximumHashCount * TreeHash.byteCount
      else { throw ReceiptError(.malformed, "hashes of \(hashes.count) bytes") }
      let parsed = try ActionReceipt(
        relyingPartyID: try object.require("rpId").string,
        action: try body.map { (body) in ProtectedAction(method: method, path: path, body: body) }
          ?? ProtectedAction(method: method, path: path, bodyDigest: action.require("bodySha256").base64URL),
        body: body,
        assertion: ReceiptAssertion(
          publicKey: try object.require("publicKey").base64URL,
          clientDataJSON: try object.require("clientDataJSON").string.utf8,
          authenticatorData: try object.require("authenticatorData").base64URL,
          signature: try object.require("signature").base64URL),
        record: try object.require("record").base64URL,
        inclusion: InclusionProof(
          index: try object.require("index").integer(UInt64.self),
          hashes: try stride(from: 0, to: hashes.count, by: TreeHash.byteCount).map { (start) in
            try TreeHash(hashes[start..<start + TreeHash.byteCount])
          }),
        checkpoint: try SignedNote(parsing: Bytes(try object.require("checkpoint").string.utf8)))
      // Otherwise a receipt could be changed without a change of its meaning.
      guard file.elementsEqual(parsed.encoded) else {
        throw ReceiptError(.malformed, "not the only spelling of this receipt")
      }
      self = parsed
    } catch let error as ReceiptError {
      throw error
    } catch {
      throw ReceiptError(.malformed, "\(error)")
    }
  }

  /// The file.
  package var encoded: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("receipt", .integer(Self.version))
      object.write("rpId", relyingPartyID)
      object.writeObject("action") { (object) in
        object.write("method", action.method)
        object.write("path", action.path)
        if let body {
          object.write("body", .base64URL(body))
        } else {
          object.write("bodySha256", .base64URL(action.bodyDigest))
        }
      }
      object.write("publicKey", .base64URL(assertion.publicKey))
      object.write("clientDataJSON", String(decoding: assertion.clientDataJSON, as: UTF8.self))
      object.write("authenticatorData", .base64URL(assertion.authenticatorData))
      object.write("signature", .base64URL(assertion.signature))
      object.write("record", .base64URL(record))
      object.write("index", .integer(inclusion.index))
      object.write("hashes", .base64URL(inclusion.hashes.flatMap(\.bytes)))
      object.write("checkpoint", String(decoding: checkpoint.bytes, as: UTF8.self))
    }
  }
}
