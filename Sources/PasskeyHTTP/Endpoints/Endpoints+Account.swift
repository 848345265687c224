// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension Endpoints {
  static let account = [
    Endpoint(
      name: .exportAccount, method: .get, summary: "Export all data of the signed-in account",
      answers: [.ok(.reference(.accountExport), isFile: true)], failures: [.tooManyRequests],
      access: .confirmed { try await $0.exportAccount($1, $2, $3) }),
    Endpoint(
      name: .eraseAccount, method: .delete, summary: "Erase the signed-in account", endsSession: true,
      answers: [.noContent(setsCookie: .always)], failures: [.conflict],
      access: .confirmed { try await $0.eraseAccount($1, $2, $3) }),
  ]

  private func exportAccount(
    _ call: Call, _ session: AuthenticatedSession, _ confirmation: PresentedConfirmation
  ) async throws -> HTTPResponse {
    try exportLimiter.require(.account(of: session), at: call.instant)
    let exported = try await service.export(session, confirmation: confirmation, in: call.context)
    var response = HTTPResponse(.ok, contentType: "application/json", body: exported.json)
    response.headers.set("content-disposition", #"attachment; filename="account.json""#)
    return response
  }

  private func eraseAccount(
    _ call: Call, _ session: AuthenticatedSession, _ confirmation: PresentedConfirmation
  ) async throws -> HTTPResponse {
    try await service.erase(session, confirmation: confirmation, in: call.context)
    var response = HTTPResponse.noContent
    clearCookies(call, forgettingClient: true, in: &response)
    return response
  }
}
