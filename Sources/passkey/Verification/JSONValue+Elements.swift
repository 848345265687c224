// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension JSONValue {
  /// The elements of an array, each as `read` reads it.
  func elements<Element>(
    _ read: (JSONValue) throws(WireError) -> Element
  ) throws(WireError) -> [Element] {
    var elements: [Element] = []
    for item in try array { elements.append(try read(item)) }
    return elements
  }

  /// The elements of an array of base64url texts.
  var byteStrings: [[UInt8]] {
    get throws(WireError) { try elements { (item) throws(WireError) in try item.base64URL } }
  }
}
