// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension ServerReply {
  /// When the session ends that the request was made in, where the server says so (`Session-Expires-At`).
  public var sessionExpiry: Timestamp? { header("session-expires-at").flatMap { try? Timestamp(rfc3339: $0) } }

  /// How many seconds the session has left, where the server warns that they are few (`Session-Expires-In`).
  public var sessionSecondsLeft: Int? {
    header("session-expires-in").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// What the server says of a request that it refused; nil where it did not.
  public var problem: Problem? { status >= 400 ? Problem(self) : nil }

  /// The body, read.
  func json(_ request: ServerRequest) throws(ClientError) -> JSONValue {
    do throws(WireError) {
      let value = try JSON.parse(JSON.withoutByteOrderMark(body[...]), maximumSize: body.count)
      guard value.kind == .object else { throw WireError(.jsonWrongType, at: 0) }
      return value
    } catch {
      throw malformed(request, "no object of JSON: \(error)")
    }
  }

  /// The error of a reply whose content is not as it should be, to a request that may have changed something.
  func malformed(_ request: ServerRequest, _ reason: String) -> ClientError {
    ClientError(
      .replyMalformed, "\(request) was answered with \(status) and \(reason)", outcome: request.isWrite ? .unknown : nil
    )
  }
}
