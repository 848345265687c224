// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

extension Inspector {
  /// A CTAP2 request (a command byte and CBOR) or response (a status byte and CBOR) (CTAP 2.3 §8).
  func ctapMessage(_ bytes: Bytes, named name: String) -> InspectionNode {
    var node = InspectionNode(name, span: bytes.indices)
    guard let first = bytes.first else {
      node.problems.append(InspectionProblem(WireError(.bytesTruncated, at: bytes.startIndex)))
      return node
    }
    let content = bytes.dropFirst()
    var head = InspectionNode(
      "status", .text("0x" + Hex.encode([first])), span: bytes.startIndex..<content.startIndex)
    let fields: [CBORField]
    if let command = CTAPCommand(rawValue: first).name {
      head.name = "command"
      head.note = command
      node.note = "request"
      fields = CTAPFields.request(CTAPCommand(rawValue: first))
    } else {
      head.note = CTAPStatus(rawValue: first).description
      // A response does not say what it answers; its members do.
      let answer = CTAPFields.response(LenientCBORReader.item(content))
      node.note = answer.map { "response to \($0.command)" } ?? "response"
      fields = answer?.fields ?? []
    }
    node.children.append(head)
    if !content.isEmpty {
      node.children.append(cbor(LenientCBORReader.item(content), as: .map(fields), named: "parameters", in: content))
    }
    return node
  }
}
