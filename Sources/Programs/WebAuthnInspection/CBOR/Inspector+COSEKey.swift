// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

extension Inspector {
  /// Shows a COSE_Key with the names of its parameters (RFC 9053).
  func coseKey(_ item: LenientCBOR, in bytes: Bytes, named name: String) -> InspectionNode {
    guard case .map(let pairs) = item.content else {
      var node = cbor(item, named: name)
      if item.isReadable {
        node.problems.append(InspectionProblem(code: COSEError.Code.notAMap.rawValue, offset: node.span?.lowerBound))
      }
      return node
    }
    let type = pairs.first { $0.key.matches(.integer(COSEKeyLabel.keyType)) }?.value?.integer
    var node = map(item, pairs, Self.fields(of: type.map(COSEKeyType.init(rawValue:))), named: name, in: bytes)
    node.problems = item.problems
    node.remarks = item.remarks
    node.span = item.span
    annotate(&node, pairs)
    if node.isFlawless { judge(&node, item.encoded(in: bytes), pairs) }
    return node
  }

  /// Parses the key strictly, and attaches an error to the parameter that caused it.
  private func judge(_ node: inout InspectionNode, _ encoded: Bytes, _ pairs: [LenientCBOR.Pair]) {
    do throws(COSEError) {
      let key = try COSEKey(parsing: encoded)
      node.note = "\(key.summary)"
      // Registration checks the point of a new key.
      do throws(PasskeyCryptoError) { try key.requirePointOnCurve() } catch {
        node.problems.append(InspectionProblem(code: error.code.rawValue, offset: node.span?.lowerBound))
      }
    } catch {
      let place = pairs.firstIndex { pair in error.label.map { pair.key.matches(.integer($0)) } ?? false }
      let parameter = place == nil ? error.label.map { "parameter \($0)" } : nil
      let problem = InspectionProblem(
        code: error.code.rawValue,
        offset: error.offset ?? place.flatMap { pairs[$0].value?.offset } ?? node.span?.lowerBound,
        error.wireError?.code.rawValue ?? parameter)
      if let place {
        node.children[place].problems.append(problem)
      } else {
        node.problems.append(problem)
      }
    }
  }

  private func annotate(_ node: inout InspectionNode, _ pairs: [LenientCBOR.Pair]) {
    for (index, pair) in pairs.enumerated() {
      guard let number = pair.value?.integer else { continue }
      if pair.key.matches(.integer(COSEKeyLabel.keyType)) {
        node.children[index].note = COSEKeyType(rawValue: number).registeredName
      } else if pair.key.matches(.integer(COSEKeyLabel.curve)) {
        node.children[index].note = COSECurve(rawValue: number).registeredName
      }
    }
  }

  private static func fields(of type: COSEKeyType?) -> [CBORField] {
    let common: [CBORField] = [.optional(1, "kty", .integer), .optional(3, "alg", .algorithm)]
    switch type {
    case .ec2?:
      return common + [
        .optional(-1, "crv", .integer), .optional(-2, "x", .bytes), .optional(-3, "y", .any),
        .optional(-4, "d", .bytes),
      ]
    case .okp?:
      return common + [.optional(-1, "crv", .integer), .optional(-2, "x", .bytes), .optional(-4, "d", .bytes)]
    case .rsa?:
      return common + [.optional(-1, "n", .bytes), .optional(-2, "e", .bytes), .optional(-3, "d", .bytes)]
    case .akp?:
      return common + [.optional(-1, "pub", .bytes), .optional(-2, "priv", .bytes)]
    default: return common
    }
  }
}

extension COSEKey {
  /// The algorithm with its curve or key size.
  var summary: String {
    switch material {
    case .ec2(let curve, _, _), .okp(let curve, _): "\(algorithm), \(curve)"
    case .rsa(let modulus, _):
      "\(algorithm), \(modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)) bits"
    case .akp: "\(algorithm)"
    }
  }
}

extension COSEKeyType {
  fileprivate var registeredName: String { "\(rawValue)" == description ? "unknown key type" : description }
}

extension COSECurve {
  fileprivate var registeredName: String { keyType == nil ? "unknown curve" : description }
}
