// SPDX-License-Identifier: Apache-2.0

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
