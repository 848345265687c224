// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
internal import PasskeyProfiles
public import PasskeyService

extension Endpoints {
  /// Performs a confirmed action of the server that embeds the endpoints, at most once, and keeps its response
  /// (`AuthService.performOnce`).
  ///
  /// A client whose response was lost sends the same request again, with the same confirmation, and gets the first response.
  ///
  /// - Parameters:
  ///   - request: The request for the action.
  ///   - session: The session of the signed-in account.
  ///   - body: The action, with the time of the request. It can run more than once. The response is kept as it is, without the
  ///     header fields that the server adds.
  /// - Returns: The response, of this request or of the first one. The store keeps it in clear text for an hour, so it must have
  ///   no cookie or token.
  /// - Throws: An error that tells the client which step-up to request, if the request carries no valid grant; or the error of
  ///   `AuthService.performOnce`.
  public func performOnce(
    _ request: EndpointRequest, by session: AuthenticatedSession,
    _ body: @escaping @Sendable (ServiceTransaction, UnixTime) throws(StorageError) -> EndpointResponse
  ) async throws -> EndpointResponse {
    let call = call(request)
    let time = call.context.time
    return try await withConfirmation(of: call, by: session) { (confirmation) in
      let answer = try await service.performOnce(confirmation, by: session, in: call.context) {
        (transaction) throws(StorageError) in try body(transaction, time).kept
      }
      return try EndpointResponse(kept: answer.bytes)
    }
  }

  /// Whether a request presents a confirmation, valid or not.
  public func presentsConfirmation(_ request: EndpointRequest) -> Bool {
    request.headers.has(profile.headers.stepUp)
  }
}

// kept response = [ status, [ name, value, … ], body, ? problem code ]   (CBOR in canonical form)

extension EndpointResponse {
  var kept: [UInt8] {
    let fields = headers.fields.flatMap { (field) -> [CBORTree] in [.text(field.name), .text(field.value)] }
    var items: [CBORTree] = [.integer(Int64(status.rawValue)), .array(fields), .bytes(body)]
    if let problemCode { items.append(.text(problemCode)) }
    return CBORWriter.bytes(of: .array(items))
  }

  init(kept bytes: [UInt8]) throws {
    let items = Array(try CBORValue(parsing: bytes, rules: .canonical).array)
    guard 3...4 ~= items.count else { throw StorageError(.corrupt, "a kept response is malformed") }
    self.init(EndpointStatus(rawValue: Int(try items[0].integer)), body: Array(try items[2].bytes))
    if items.count == 4 { problemCode = try items[3].text }
    let fields = try items[1].array.map { try $0.text }
    for index in stride(from: 0, to: fields.count - 1, by: 2) { headers.add(fields[index], fields[index + 1]) }
  }
}
