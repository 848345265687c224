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
