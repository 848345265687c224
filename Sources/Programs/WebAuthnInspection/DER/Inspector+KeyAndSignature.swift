// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension Inspector {
  /// Takes a SubjectPublicKeyInfo apart.
  func publicKey(_ bytes: Bytes, named name: String) -> InspectionNode {
    do throws(WireError) {
      return publicKey(try SubjectPublicKeyInfo(der: bytes), named: name)
    } catch {
      var node = der(bytes, named: name)
      if node.isFlawless { node.problems.append(InspectionProblem(error)) }
      return node
    }
  }

  /// Shows a parsed SubjectPublicKeyInfo.
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

extension Inspector {
  /// Takes an ECDSA signature apart: a DER sequence of the integers r and s.
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

  /// Shows a signature of unknown algorithm: taken apart if it is an ECDSA signature, as bytes otherwise.
  func signature(_ bytes: Bytes, named name: String) -> InspectionNode {
    guard (try? ECDSASignature(der: bytes)) != nil else {
      return InspectionNode(name, .bytes(bytes), span: bytes.indices)
    }
    var node = ecdsaSignature(bytes, named: name)
    node.note = "ECDSA, \(byteCount(bytes.count))"
    return node
  }
}
