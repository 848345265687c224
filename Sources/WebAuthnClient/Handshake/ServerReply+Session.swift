// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension ServerReply {
  /// When the request's session expires, if the server says so (`Session-Expires-At`).
  public var sessionExpiry: Timestamp? { header("session-expires-at").flatMap { try? Timestamp(rfc3339: $0) } }

  /// The number of seconds until the session expires, if the server warns that it will soon (`Session-Expires-In`).
  public var sessionSecondsLeft: Int? {
    header("session-expires-in").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The problem details of an error reply. Nil for a status below 400.
  public var problem: Problem? { status >= 400 ? Problem(self) : nil }

  /// Parses the body, which has to be a JSON object.
  func json(_ request: ServerRequest) throws(ClientError) -> JSONValue {
    do throws(WireError) {
      let value = try JSON.parse(JSON.withoutByteOrderMark(body[...]), maximumSize: body.count)
      guard value.kind == .object else { throw WireError(.jsonWrongType, at: 0) }
      return value
    } catch {
      throw malformed(request, "not a JSON object: \(error)")
    }
  }

  /// Returns the error for a malformed reply. The outcome of a write is then unknown.
  func malformed(_ request: ServerRequest, _ reason: String) -> ClientError {
    ClientError(
      .replyMalformed, "\(request) was answered with \(status) and \(reason)", outcome: request.isWrite ? .unknown : nil
    )
  }
}
