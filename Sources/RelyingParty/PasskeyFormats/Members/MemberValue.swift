// SPDX-License-Identifier: Apache-2.0

/// The value of a member: a JSON value, a CBOR item, or a value in a `Decoder`. The accessors throw if the value has
/// another type.
@usableFromInline
package protocol MemberValue {
  /// The error of the accessors.
  associatedtype Failure: Error
  /// The members of a value that is an object or a map.
  associatedtype Object

  /// The content of a string.
  var text: String { get throws(Failure) }
  /// The content of a string as UTF-8.
  var utf8: Bytes { get throws(Failure) }
  /// The content of an array of strings.
  var texts: [String] { get throws(Failure) }
  /// The content of a byte string, or of a base64url string in formats without byte strings.
  var bytes: Bytes { get throws(Failure) }
  /// The value of a Boolean.
  var bool: Bool { get throws(Failure) }
  /// The value of an integer.
  var int64: Int64 { get throws(Failure) }
  /// The content of an object.
  var object: Object { get throws(Failure) }
  /// The content of an array of objects.
  var objects: [Object] { get throws(Failure) }
}

extension JSONValue: MemberValue {
  @usableFromInline package typealias Failure = WireError

  @usableFromInline
  package var text: String { get throws(WireError) { try string } }

  @usableFromInline
  package var texts: [String] {
    get throws(WireError) { try elements { (element) throws(WireError) in try element.string } }
  }

  @usableFromInline
  package var bytes: Bytes { get throws(WireError) { try base64URL[...] } }

  @usableFromInline
  package var object: JSONValue {
    get throws(WireError) {
      try demand(.object)
      return self
    }
  }

  @usableFromInline
  package var objects: [JSONValue] {
    get throws(WireError) { try elements { (element) throws(WireError) in try element.object } }
  }
}

extension CBORValue: MemberValue {
  @usableFromInline package typealias Failure = WireError

  @usableFromInline
  package var texts: [String] {
    get throws(WireError) { try elements { (element) throws(WireError) in try element.text } }
  }

  @usableFromInline
  package var int64: Int64 { get throws(WireError) { try integer } }

  @usableFromInline
  package var object: CBORMap { get throws(WireError) { try map } }

  @usableFromInline
  package var objects: [CBORMap] {
    get throws(WireError) { try elements { (element) throws(WireError) in try element.map } }
  }

  /// Reads each element of an array with `read`.
  package func elements<Element>(
    _ read: (CBORValue) throws(WireError) -> Element
  ) throws(WireError) -> [Element] {
    var elements: [Element] = []
    for item in try array { elements.append(try read(item)) }
    return elements
  }
}
