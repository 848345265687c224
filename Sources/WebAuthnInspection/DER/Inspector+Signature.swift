// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension Inspector {
  /// An ECDSA signature, which is nothing else: a DER sequence of two integers.
  func ecdsaSignature(_ bytes: Bytes, named name: String) -> InspectionNode {
    var node = InspectionNode(name, span: bytes.indices)
    do throws(WireError) {
      let signature = try ECDSASignature(der: bytes)
      node.children = [
        InspectionNode("r", .bytes(signature.r), span: signature.r.indices),
        InspectionNode("s", .bytes(signature.s), span: signature.s.indices),
      ]
    } catch {
      node = der(bytes, named: name)
      if node.isFlawless { node.problems.append(InspectionProblem(error)) }
    }
    return node
  }

  /// A signature by some algorithm: taken apart if it has ECDSA's form, shown as bytes if not.
  func signature(_ bytes: Bytes, named name: String) -> InspectionNode {
    guard (try? ECDSASignature(der: bytes)) != nil else {
      return InspectionNode(name, .bytes(bytes), span: bytes.indices)
    }
    var node = ecdsaSignature(bytes, named: name)
    node.note = "ECDSA, \(byteCount(bytes.count))"
    return node
  }
}
