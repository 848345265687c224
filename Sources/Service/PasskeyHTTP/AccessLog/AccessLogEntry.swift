// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// One request in the access log. It contains no secrets: no query, no body, and no header field except `User-Agent`.
package struct AccessLogEntry {
  package var time: UnixTime
  package var id: EndpointRequestID
  package var client: IPAddress
  package var method: EndpointMethod
  package var path: String
  package var route: String?
  package var status: Int
  package var code: String?
  package var receivedBytes: Int
  package var sentBytes: Int
  package var duration: Duration
  package var userAgent: String?
  /// Whether the whole response was sent.
  package var isComplete: Bool
  /// The identifier of the trace, if the client sent one.
  package var traceID: String?

  package init(
    time: UnixTime, id: EndpointRequestID, client: IPAddress, method: EndpointMethod, path: String, route: String?,
    status: Int,
    code: String?, receivedBytes: Int, sentBytes: Int, duration: Duration, userAgent: String?, isComplete: Bool,
    traceID: String? = nil
  ) {
    self.time = time
    self.id = id
    self.client = client
    self.method = method
    self.path = path
    self.route = route
    self.status = status
    self.code = code
    self.receivedBytes = receivedBytes
    self.sentBytes = sentBytes
    self.duration = duration
    self.userAgent = userAgent
    self.isComplete = isComplete
    self.traceID = traceID
  }

  // 200 characters  [real values are shorter]
  package static let maximumTextLength = 200

  /// Returns the entry as one line of JSON.
  package func line(naming identity: AccessLog.Identity) -> [UInt8] {
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
      if identity != .address, let traceID { object.write("trace", traceID) }
      if !isComplete { object.write("complete", false) }
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private static func truncated(_ text: String) -> String {
    String(decoding: text.utf8.prefix(maximumTextLength), as: UTF8.self)
  }
}
