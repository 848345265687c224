// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Something that a proxy has forwarded, or failed to.
package struct ProxyEvent: Sendable {
  /// The number of the connection, from one.
  package let connection: Int

  /// The method and the path of a request, or a part of the bytes that a rule names.
  package let subject: String

  /// The status code that the client got, if it got one.
  package internal(set) var status: Int?

  /// The number of bytes that the client got for this request.
  package internal(set) var byteCount = 0

  /// The faults that applied.
  package internal(set) var faults: [FaultRule] = []

  /// A further fact, such as a server that cannot be reached.
  package internal(set) var note: String?

  init(connection: Int, subject: String) {
    self.connection = connection
    // 300  [a path can have 64 KiB; a line of the log is for people]
    self.subject = subject.count <= 300 ? subject : subject.prefix(300) + "…"
  }

  /// One line: `3 POST /login/verify: 200, 312 bytes; delay-reply 500ms`.
  package var description: String {
    let result = status.map { "\($0), \(byteCount) bytes" } ?? (byteCount == 0 ? "no reply" : "\(byteCount) bytes")
    return (["\(connection) \(subject): \(result)"] + faults.map(\.fault) + (note.map { [$0] } ?? []))
      .joined(separator: "; ")
  }

  /// The members of the event in JSON.
  package func write(into object: inout JSONObjectWriter) {
    object.write("connection", .integer(connection))
    object.write("subject", .string(subject))
    object.write("status", status.map { .integer($0) } ?? .null)
    object.write("bytes", .integer(byteCount))
    object.writeArray("faults") { (array) in for rule in faults { array.write(.string(rule.description)) } }
    if let note { object.write("note", .string(note)) }
  }
}
