// SPDX-License-Identifier: Apache-2.0

/// The received bytes of a connection, of which complete responses are taken.
package struct ReceivedAnswer {
  /// The bytes that are not taken yet.
  package var bytes: [UInt8] = []

  package init() {}

  /// Takes the next response, or returns nil if it is incomplete.
  package mutating func take(isBodiless: Bool = false) -> RawClient.Answer? {
    let end = Array("\r\n\r\n".utf8)
    guard let head = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
    let lines = String(decoding: bytes[..<head], as: UTF8.self).split(separator: "\r\n")
    let headers = lines.dropFirst().map { (line) -> (name: String, value: String) in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
    let status = Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0
    let length = isBodiless || status < 200 ? 0 : Int(headers.first { $0.name == "content-length" }?.value ?? "0") ?? 0
    guard bytes.count >= head + 4 + length else { return nil }
    let body = String(decoding: bytes[(head + 4)..<(head + 4 + length)], as: UTF8.self)
    bytes.removeFirst(head + 4 + length)
    return RawClient.Answer(status: status, headers: headers, body: body)
  }
}
