// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemIO
internal import WireFormats

/// What a request was answered with, for standard output.
struct RequestAnswer {
  /// Nil for what was read before, and is shown again.
  var status: Int?
  let body: [UInt8]

  /// Writes the bytes as they came, or one object for programs. Where others follow, each ends its line.
  func write(asJSON: Bool, isOneOfMany: Bool) throws(CommandFailure) {
    if asJSON { return try Output.write(json + [UInt8(ascii: "\n")]) }
    guard !body.isEmpty else { return }
    let isTerminal = FileDescriptor.standardOutput.isTerminal
    // A terminal obeys what it is shown.
    let shown = isTerminal ? body.shownOnTerminal : body
    let isOpen = shown.last != UInt8(ascii: "\n") && (isTerminal || isOneOfMany)
    try Output.write(shown + (isOpen ? [UInt8(ascii: "\n")] : []))
  }

  /// JSON stays JSON, text becomes a string, and what is neither is written so that no byte is lost.
  var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("status", status.map { .integer($0) } ?? .null)
      if body.isEmpty {
        object.write("body", .null)
      } else if let value = try? JSON.parse(body[...], maximumSize: body.count) {
        object.write("body", .verbatim(value))
      } else if let text = String(validating: body, as: UTF8.self) {
        object.write("body", .string(text))
      } else {
        object.write("bodyBase64", .base64(body))
      }
    }
  }
}

extension [UInt8] {
  /// Lines and tabs as they are, and what else a terminal would obey escaped.
  fileprivate var shownOnTerminal: [UInt8] {
    let lines = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { (line) in
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let cells = text.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      return cells.map { String(decoding: $0, as: UTF8.self).escapedForTerminal }.joined(separator: "\t")
    }
    return [UInt8](lines.joined(separator: "\n").utf8)
  }
}
