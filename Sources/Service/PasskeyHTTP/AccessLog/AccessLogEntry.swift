// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// One request in the access log. It contains no secrets: no query, no body, and no header field except `User-Agent`.
struct AccessLogEntry {
  var time: Timestamp
  var id: RequestID
  var client: IPAddress
  var method: HTTPMethod
  var path: String
  var route: String?
  var status: Int
  var code: String?
  var receivedBytes: Int
  var sentBytes: Int
  var duration: Duration
  var userAgent: String?
  /// Whether the whole response was sent.
  var isComplete: Bool

  // 200 characters  [real values are shorter]
  static let maximumTextLength = 200

  /// Returns the entry as one line of JSON.
  func line(naming identity: AccessLog.Identity) -> [UInt8] {
    var line = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("time", time)
      if identity != .address { object.write("id", id.description) }
      if identity != .requestID { object.write("client", client.description) }
      object.write("method", Self.truncated(method.rawValue))
      object.write("path", Self.truncated(path))
      if let route { object.write("route", route) }
      object.write("status", .integer(status))
      if let code { object.write("code", code) }
      object.write("received", .integer(receivedBytes))
      object.write("sent", .integer(sentBytes))
      object.write("microseconds", .integer(duration.nanoseconds / 1_000))
      if let userAgent { object.write("userAgent", Self.truncated(userAgent)) }
      if !isComplete { object.write("complete", false) }
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private static func truncated(_ text: String) -> String {
    String(decoding: text.utf8.prefix(maximumTextLength), as: UTF8.self)
  }
}
