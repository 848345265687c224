// SPDX-License-Identifier: Apache-2.0

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
