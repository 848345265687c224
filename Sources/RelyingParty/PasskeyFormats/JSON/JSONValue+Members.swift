// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The member of an object with this name; `nil` if the object lacks it.
  ///
  /// - Throws: `json.wrong-type` if the value is not an object.
  package subscript(name: String) -> JSONValue? {
    get throws(WireError) {
      try demand(.object)
      guard let node = document.member(named: name, of: node) else { return nil }
      return JSONValue(document: document, node: node)
    }
  }

  /// Returns the member of an object with this name.
  ///
  /// - Throws: `json.missing-member` at the object's offset if the object lacks it; `json.wrong-type` if the value is
  ///   not an object.
  package func require(_ name: String) throws(WireError) -> JSONValue {
    guard let member = try self[name] else { throw WireError(.jsonMissingMember, at: offset) }
    return member
  }

  /// The members of an object, in text order.
  ///
  /// - Throws: `json.wrong-type` if the value is not an object.
  package var members: JSONMembers {
    get throws(WireError) {
      try demand(.object)
      return JSONMembers(document: document, object: node)
    }
  }

  /// The elements of an array.
  ///
  /// - Throws: `json.wrong-type` if the value is not an array.
  package var array: JSONElements {
    get throws(WireError) {
      try demand(.array)
      return JSONElements(document: document, array: node)
    }
  }
}

extension JSONValue {
  /// Reads each element of an array with `read`.
  package func elements<Element>(
    _ read: (JSONValue) throws(WireError) -> Element
  ) throws(WireError) -> [Element] {
    var elements: [Element] = []
    for item in try array { elements.append(try read(item)) }
    return elements
  }

  /// The byte strings of an array of base64url texts.
  package var byteStrings: [[UInt8]] {
    get throws(WireError) { try elements { (item) throws(WireError) in try item.base64URL } }
  }
}

/// The members of an object, in text order.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  /// A name and its value.
  package struct Member: Sendable {
    /// The value.
    package let value: JSONValue

    /// The name, with escapes resolved.
    package var name: String { String(decoding: value.document.characters(nameNode), as: UTF8.self) }

    /// The index of the name's first quotation mark, in the array that the text is a slice of.
    package var nameOffset: Int { value.document.encoded(nameNode).startIndex }

    /// The node of the name is directly before the node of the value.
    private var nameNode: Int { value.node - 1 }
  }

  private let document: JSONDocument
  private var name: Int
  private let end: Int

  init(document: JSONDocument, object: Int) {
    self.document = document
    name = object + 1
    end = document.next(after: object)
  }

  /// Returns the next member.
  package mutating func next() -> Member? {
    guard name < end else { return nil }
    let value = name + 1
    name = document.next(after: value)
    return Member(value: JSONValue(document: document, node: value))
  }
}

/// The elements of an array.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var element: Int
  private let end: Int

  init(document: JSONDocument, array: Int) {
    self.document = document
    element = array + 1
    end = document.next(after: array)
  }

  /// Returns the next element.
  package mutating func next() -> JSONValue? {
    guard element < end else { return nil }
    defer { element = document.next(after: element) }
    return JSONValue(document: document, node: element)
  }
}
