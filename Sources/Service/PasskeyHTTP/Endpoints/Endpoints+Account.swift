// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService

extension Endpoints {
  static let account = [
    Endpoint(
      name: .accountStatus, summary: "Report whether an account is approved", answers: [.init()],
      failures: [.badRequest, .unprocessableContent, .tooManyRequests, .serviceUnavailable],
      access: .anonymous { try await $0.reportStatus($1) }),
    Endpoint(
      name: .exportAccount, summary: "Export all data of the signed-in account", answers: [.init(isFile: true)],
      failures: [.tooManyRequests], access: .confirmed { try await $0.exportAccount($1, $2, $3) }),
    Endpoint(
      name: .eraseAccount, summary: "Erase the signed-in account", endsSession: true,
      answers: [.init(setsCookie: .always)], failures: [.conflict],
      access: .confirmed { try await $0.eraseAccount($1, $2, $3) }),
  ]

  /// Reports the state of the account that has both names. A pair that no account has counts as pending.
  private func reportStatus(_ call: Call) async throws -> Reply {
    try statusLimiter.require(.address(call.request.client), at: call.instant)
    let names = try names(in: call.parameters())
    guard let username = names?.username, let email = names?.email else { throw EndpointError(.targetMalformed) }
    let status = try await service.accountStatus(username: username, email: email)
    let state: Account.State =
      switch status {
      case .pending: .pending
      case .approved: .active
      case .rejected: .rejected
      }
    return Reply.values { $0.set(.accountState, state.rawValue) }
  }

  private func exportAccount(
    _ call: Call, _ session: AuthenticatedSession, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    try exportLimiter.require(.account(of: session), at: call.instant)
    let exported = try await service.export(session, confirmation: confirmation, in: call.context)
    var reply = Reply.values { $0[.export] = .encoded(exported.json) }
    reply.response.headers.set("content-disposition", #"attachment; filename="account.json""#)
    return reply
  }

  private func eraseAccount(
    _ call: Call, _ session: AuthenticatedSession, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    try await service.erase(session, confirmation: confirmation, in: call.context)
    var reply = Reply()
    clearCookies(call, forgettingClient: true, in: &reply.response)
    return reply
  }
}
