// SPDX-License-Identifier: Apache-2.0

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
