// SPDX-License-Identifier: Apache-2.0

// AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY DEFINED BY algorithm OPTIONAL }
//                                                                                               (RFC 5280 §4.1.1.2)

/// An algorithm identifier and its parameters.
package struct AlgorithmIdentifier: Hashable, Sendable {
  /// The algorithm.
  package let algorithm: DERObjectIdentifier

  /// The parameters, at most one element.
  package let parameters: DERElement?

  /// The encoded element.
  package let encoded: Bytes

  /// Reads an AlgorithmIdentifier.
  ///
  /// - Throws: `der.trailing-bytes` for more than one parameter, or another `der.…` code if it is malformed.
  package init(reading reader: inout DERReader) throws(WireError) {
    let element = try reader.read(.sequence)
    (algorithm, parameters) = try element.readContent { (reader) throws(WireError) in
      let algorithm = try reader.readObjectIdentifier()
      return (algorithm, reader.isAtEnd ? nil : try reader.readElement())
    }
    encoded = element.encoded
  }
}

// SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }  (RFC 5280 §4.1)

/// A public key in the form that certificates use. The algorithm determines the format of the key bits.
package struct SubjectPublicKeyInfo: Hashable, Sendable {
  /// The algorithm and its parameters.
  package let algorithm: AlgorithmIdentifier

  /// The key bits, always whole octets.
  package let key: Bytes

  /// The encoded element.
  package let encoded: Bytes

  /// Parses `der`, which must be exactly one SubjectPublicKeyInfo.
  ///
  /// - Throws: A `der.…` code if it is malformed.
  package init(der: some ByteSource) throws(WireError) {
    let der = der.slice
    self = try DERReader.parse(der) { (reader) throws(WireError) in try Self(reading: &reader) }
  }

  /// Reads a SubjectPublicKeyInfo.
  ///
  /// - Throws: `der.invalid-bit-string` for a key that is not whole octets, or another `der.…` code if it is
  ///   malformed.
  package init(reading reader: inout DERReader) throws(WireError) {
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
