// SPDX-License-Identifier: Apache-2.0

// AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY DEFINED BY algorithm OPTIONAL }
//                                                                                               (RFC 5280 §4.1.1.2)

/// The name of an algorithm and its parameters, as data.
public struct AlgorithmIdentifier: Hashable, Sendable {
  /// The algorithm.
  public let algorithm: ObjectIdentifier

  /// The parameters, where there are any: one element.
  public let parameters: DERElement?

  /// The whole of it as it stands in the input.
  public let encoded: Bytes

  /// Reads the next element.
  public init(reading reader: inout DERReader) throws(WireError) {
    let element = try reader.read(.sequence)
    (algorithm, parameters) = try element.readContent { (reader) throws(WireError) in
      let algorithm = try reader.readObjectIdentifier()
      return (algorithm, reader.isAtEnd ? nil : try reader.readElement())
    }
    encoded = element.encoded
  }
}
