// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The member of an object with this name, or `nil` when it has none.
  public subscript(name: String) -> JSONValue? {
    get throws(WireError) {
      try demand(.object)
      guard let node = document.member(named: name, of: node) else { return nil }
      return JSONValue(document: document, node: node)
    }
  }

  /// The member of an object with this name; that there is none is an error at the object's offset.
  public func require(_ name: String) throws(WireError) -> JSONValue {
    guard let member = try self[name] else { throw WireError(.jsonMissingMember, at: offset) }
    return member
  }

  /// The members of an object, in the order of the text.
  public var members: JSONMembers {
    get throws(WireError) {
      try demand(.object)
      return JSONMembers(document: document, object: node)
    }
  }

  /// The elements of an array, in order.
  public var array: JSONElements {
    get throws(WireError) {
      try demand(.array)
      return JSONElements(document: document, array: node)
    }
  }
}

/// The members of an object, in the order of the text.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  /// A name and its value.
  public struct Member: Sendable {
    /// What the name stands for.
    public let value: JSONValue

    /// The name, its escapes resolved.
    public var name: String { String(decoding: value.document.characters(nameNode), as: UTF8.self) }

    /// The index of the name's first quotation mark, in the array from which the text is a slice.
    public var nameOffset: Int { value.document.encoded(nameNode).startIndex }

    /// A member's value stands right behind its name.
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

  /// The next member.
  public mutating func next() -> Member? {
    guard name < end else { return nil }
    let value = name + 1
    name = document.next(after: value)
    return Member(value: JSONValue(document: document, node: value))
  }
}

/// The elements of an array, in order.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var element: Int
  private let end: Int

  init(document: JSONDocument, array: Int) {
    self.document = document
    element = array + 1
    end = document.next(after: array)
  }

  /// The next element.
  public mutating func next() -> JSONValue? {
    guard element < end else { return nil }
    defer { element = document.next(after: element) }
    return JSONValue(document: document, node: element)
  }
}
