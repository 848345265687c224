// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension Inspector {
  /// A SubjectPublicKeyInfo.
  func publicKey(_ bytes: Bytes, named name: String) -> InspectionNode {
    do throws(WireError) {
      return publicKey(try SubjectPublicKeyInfo(der: bytes), named: name)
    } catch {
      var node = der(bytes, named: name)
      if node.isFlawless { node.problems.append(InspectionProblem(error)) }
      return node
    }
  }

  /// A key that has been read.
  func publicKey(_ info: SubjectPublicKeyInfo, named name: String) -> InspectionNode {
    var node = InspectionNode(name, span: info.encoded.indices)
    let algorithm = info.algorithm.algorithm
    node.children = [
      InspectionNode("algorithm", .text("\(algorithm)"), note: ObjectIdentifierNames.name(of: algorithm))
    ]
    if let parameters = info.algorithm.parameters {
      var reader = DERReader(parameters.encoded)
      if let curve = try? reader.readObjectIdentifier() {
        node.children.append(InspectionNode("curve", .text("\(curve)"), note: ObjectIdentifierNames.name(of: curve)))
      }
    }
    node.children.append(InspectionNode("key", .bytes(info.key), span: info.key.indices))
    return node
  }
}
