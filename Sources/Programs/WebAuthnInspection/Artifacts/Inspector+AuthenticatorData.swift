// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension Inspector {
  /// Takes authenticator data apart, up to the first error (WebAuthn §6.1).
  func authenticatorData(_ bytes: Bytes, named name: String) -> InspectionNode {
    var node = InspectionNode(name, span: bytes.startIndex..<bytes.endIndex)
    var reader = ByteReader(bytes)
    do throws(WireError) {
      node.children.append(relyingPartyIDHash(try reader.read(AuthenticatorData.relyingPartyIDHashByteCount)))
      let flags = AuthenticatorFlags(rawValue: try reader.readByte())
      node.children.append(self.flags(flags, at: reader.offset - 1))
      node.children.append(Self.number("signCount", in: try reader.read(4)))
      if flags.contains(.attestedCredentialData) { try attestedCredentialData(&reader, into: &node) }
      if flags.contains(.extensionData) { node.children.append(extensions(&reader)) }
    } catch {
      node.problems.append(truncated(at: error.offset, after: node.children.last?.name))
      return node
    }
    if !reader.isAtEnd, node.isFlawless {
      let code = FormatError.Code.authenticatorDataTrailingBytes.rawValue
      node.children.append(InspectionNode("trailing bytes", .bytes(reader.rest), span: reader.rest.indices))
      node.problems.append(
        InspectionProblem(code: code, offset: reader.offset, "\(byteCount(reader.rest.count)) too many"))
    }
    return node
  }

  private func truncated(at offset: Int, after name: String?) -> InspectionProblem {
    InspectionProblem(
      code: FormatError.Code.authenticatorDataTruncated.rawValue, offset: offset,
      name.map { "the bytes end after \($0)" } ?? "the bytes end in rpIdHash")
  }

  private func relyingPartyIDHash(_ hash: Bytes) -> InspectionNode {
    var node = InspectionNode("rpIdHash", .bytes(hash), span: hash.indices)
    if let id = relyingPartyIDs.first(where: { Digest.sha256($0.utf8).elementsEqual(hash) }) {
      node.note = "SHA-256 of \(id.escapedForTerminal)"
    }
    return node
  }

  /// Shows each flag by its name in WebAuthn §6.1.
  private func flags(_ flags: AuthenticatorFlags, at offset: Int) -> InspectionNode {
    var node = InspectionNode(
      "flags", .text("0x" + Hex.encode([flags.rawValue])), span: offset..<(offset + 1))
    node.note = Self.flagNames.filter { flags.contains($0.flag) }.map(\.name).joined(separator: " ")
    node.children = Self.flagNames.map {
      InspectionNode("\($0.name) \($0.meaning)", .text(flags.contains($0.flag) ? "yes" : "no"))
    }
    if flags.contains(.backedUp), !flags.contains(.backupEligible) {
      node.remarks.append("BS without BE: a relying party refuses this (WebAuthn §6.1.3)")
    }
    if !flags.isDisjoint(with: .reserved) { node.remarks.append("a reserved bit is set") }
    return node
  }

  static let flagNames: [(flag: AuthenticatorFlags, name: String, meaning: String)] = [
    (.userPresent, "UP", "user present"), (.userVerified, "UV", "user verified"),
    (.backupEligible, "BE", "backup eligible"), (.backedUp, "BS", "backed up"),
    (.attestedCredentialData, "AT", "attested credential data"), (.extensionData, "ED", "extension data"),
  ]

  /// Reads the attested credential data (WebAuthn §6.5.1).
  private func attestedCredentialData(
    _ reader: inout ByteReader, into node: inout InspectionNode
  ) throws(WireError) {
    node.children.append(aaguid(try reader.read(AAGUID.byteCount), named: "aaguid"))
    let length = try reader.read(2)
    node.children.append(Self.number("credentialIdLength", in: length))
    let credentialID = try reader.read(length.reduce(0) { $0 << 8 | Int($1) })
    var idNode = InspectionNode("credentialId", .identifier(credentialID), span: credentialID.indices)
    if credentialID.count > CredentialID.maximumByteCount {
      idNode.remarks.append("longer than the \(CredentialID.maximumByteCount) bytes that WebAuthn §7.1 allows")
    }
    node.children.append(idNode)
    let rest = reader.rest
    node.children.append(coseKey(Self.readItem(&reader), in: rest, named: "credentialPublicKey"))
  }

  private func extensions(_ reader: inout ByteReader) -> InspectionNode {
    let rest = reader.rest
    return cbor(Self.readItem(&reader), as: .map(Self.extensionOutputs), named: "extensions", in: rest)
  }

  private static let extensionOutputs: [CBORField] = [
    .optional("credProtect", "credProtect", .integer), .optional("minPinLength", "minPinLength", .integer),
    .optional("thirdPartyPayment", "thirdPartyPayment", .bool),
  ]

  private static func readItem(_ reader: inout ByteReader) -> LenientCBOR {
    var loose = LenientCBORReader(reader.rest)
    let item = loose.readItem()
    _ = try? reader.read(item.end - item.offset)
    return item
  }

  func aaguid(_ bytes: Bytes, named name: String) -> InspectionNode {
    guard let aaguid = AAGUID([UInt8](bytes)) else {
      var node = InspectionNode(name, .bytes(bytes), span: bytes.indices)
      node.remarks.append("an AAGUID has 16 bytes")
      return node
    }
    return InspectionNode(name, .text("\(aaguid)"), note: aaguid == .zero ? "not disclosed" : nil, span: bytes.indices)
  }

  private static func number(_ name: String, in bytes: Bytes) -> InspectionNode {
    InspectionNode(name, .text("\(bytes.reduce(0) { $0 << 8 | UInt64($1) })"), span: bytes.indices)
  }
}
