// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A whole request or reply.
struct HTTPMessage {
  var head: HTTPHead

  /// The body as it was sent, with the sizes of chunks.
  private var body: [UInt8]

  /// The body without the sizes of chunks.
  private let content: [UInt8]

  init(_ head: HTTPHead, _ body: (raw: [UInt8], content: [UInt8])) {
    self.head = head
    self.body = body.raw
    content = body.content
  }

  var bytes: [UInt8] { head.bytes + body }

  /// Replaces a value of the JSON body.
  ///
  /// - Returns: Whether the body is JSON and has the place.
  mutating func change(_ pointer: JSONPointer, to value: [UInt8]?) -> Bool {
    guard let document = try? JSON.parse(content[...], maximumSize: content.count),
      let changed = pointer.replacing(in: document, with: value)
    else { return false }
    self = HTTPMessage(head, (changed, changed))
    head.replaceFields(
      ["content-length", "transfer-encoding", "trailer"], adding: [("content-length", "\(changed.count)")])
    return true
  }
}
