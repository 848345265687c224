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

// SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }  (RFC 5280 §4.1)

/// A public key as certificates carry it, as data: what the bits mean, the algorithm says.
public struct SubjectPublicKeyInfo: Hashable, Sendable {
  /// What kind of key it is.
  public let algorithm: AlgorithmIdentifier

  /// The key: a whole number of octets, as for every algorithm in use.
  public let key: Bytes

  /// The whole of it as it stands in the input.
  public let encoded: Bytes

  /// Reads a key and nothing else.
  public init(der: Bytes) throws(WireError) {
    self = try DERReader.parse(der) { (reader) throws(WireError) in try Self(reading: &reader) }
  }

  /// Reads the next element.
  public init(reading reader: inout DERReader) throws(WireError) {
    let element = try reader.read(.sequence)
    (algorithm, key) = try element.readContent { (reader) throws(WireError) in
      let algorithm = try AlgorithmIdentifier(reading: &reader)
      let start = reader.offset
      let bits = try reader.readBitString()
      guard bits.unusedBits == 0 else { throw WireError(.derInvalidBitString, at: start) }
      return (algorithm, bits.octets)
    }
    encoded = element.encoded
  }
}
