// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem

/// The response to a request, for standard output.
struct RequestAnswer {
  /// Nil for an earlier response that is shown again.
  var status: Int?
  let body: [UInt8]

  /// Writes the unchanged bytes, or a JSON object. On a terminal or if more output follows, adds a missing line break.
  func write(asJSON: Bool, isOneOfMany: Bool) throws(CommandFailure) {
    if asJSON { return try Output.write(json + [UInt8(ascii: "\n")]) }
    guard !body.isEmpty else { return }
    let isTerminal = FileDescriptor.standardOutput.isTerminal
    // A terminal interprets control characters, so they are escaped.
    let shown = isTerminal ? body.shownOnTerminal : body
    let isOpen = shown.last != UInt8(ascii: "\n") && (isTerminal || isOneOfMany)
    try Output.write(shown + (isOpen ? [UInt8(ascii: "\n")] : []))
  }

  /// The response as JSON. A JSON body is embedded, a text becomes a string, and other bytes become Base64.
  var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("status", status.map { .integer($0) } ?? .null)
      if body.isEmpty {
        object.write("body", .null)
      } else if let value = try? JSON.parse(body, maximumSize: body.count) {
        object.write("body", .verbatim(value))
      } else if let text = String(validating: body, as: UTF8.self) {
        object.write("body", .string(text))
      } else {
        object.write("bodyBase64", .base64(body))
      }
    }
  }
}
