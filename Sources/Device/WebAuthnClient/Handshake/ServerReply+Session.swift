// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
public import WebAuthnBrowser

extension ServerReply {
  /// Returns when the request's session expires, if the server says so in a header field.
  func sessionExpiry(_ profile: ServiceProfile) -> UnixTime? {
    header(profile.headers.sessionExpiry).flatMap { try? UnixTime(rfc3339: $0) }
  }

  /// Returns the number of seconds until the session expires, if the server warns in a header field that it will soon.
  func sessionSecondsLeft(_ profile: ServiceProfile) -> Int? {
    header(profile.headers.sessionWarning).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The problem details of an error reply. Nil for a status below 400.
  public var problem: Problem? { status >= 400 ? Problem(self) : nil }

  /// Parses the JSON object in the body.
  func json(_ request: ServerRequest, _ contract: EndpointContract) throws(ClientError) -> JSONValue {
    if let page = contract.page, ComputedValue.element(named: page, in: body) == nil {
      throw malformed(request, "without an element input, meta or script named \(page)")
    }
    do throws(WireError) {
      let value = try contract.document(body)
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
