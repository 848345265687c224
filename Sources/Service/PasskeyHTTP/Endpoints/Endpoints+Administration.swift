// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

extension Endpoints {
  static let administration = [
    Endpoint(
      name: .users,
      summary: "List accounts, one page at a time; prefix=TEXT finds those whose name or address begins with it",
      answers: [.init()], failures: [.badRequest],
      access: .administrator { try await $0.listUsers($1, $2) }),
    Endpoint(
      name: .updateUser, summary: "Set the state or the roles of an account", answers: [.init()],
      failures: [.notFound, .conflict, .unprocessableContent],
      access: .confirmedAdministrator { try await $0.updateUser($1, $2, $3) }),
    Endpoint(
      name: .user, summary: "Show an account with its sessions", answers: [.init()], failures: [.notFound],
      access: .administrator { try await $0.showUser($1, $2) }),
    Endpoint(
      name: .approveUsers, summary: "Approve several pending accounts; the others are left out", answers: [.init()],
      access: .confirmedAdministrator { try await $0.approveUsers($1, $2, $3) }),
    change(.approveUser, "Approve a pending account", .approve),
    change(.rejectUser, "Reject a pending account", .reject),
    change(.disableUser, "Disable an account and end its sessions", .disable),
    change(.enableUser, "Enable a disabled account", .enable),
    Endpoint(
      name: .setRoles, summary: "Set the roles of an account", answers: [.init()],
      failures: [.notFound, .conflict, .unprocessableContent],
      access: .confirmedAdministrator { try await $0.setRoles($1, $2, $3) }),
    Endpoint(
      name: .inviteUser, summary: "Issue an invitation code, or mail it; the id in the path is `new`",
      answers: [.init()],
      failures: [.notFound, .unprocessableContent],
      access: .confirmedAdministrator { try await $0.invite($1, $2, $3) }),
    Endpoint(
      name: .recoverUser, summary: "Issue a recovery code, with which the owner registers another passkey",
      answers: [.init()], failures: [.notFound],
      access: .confirmedAdministrator { try await $0.recover($1, $2, $3) }),
    Endpoint(
      name: .revokeUserSessions, summary: "End all sessions of an account", answers: [.init()], failures: [.notFound],
      access: .administrator { try await $0.revokeSessions(ofUser: $1, $2) }),
    Endpoint(
      name: .userCredentials, summary: "List the passkeys of an account", answers: [.init()], failures: [.notFound],
      access: .administrator { try await $0.listCredentials(ofUser: $1, $2) }),
    Endpoint(
      name: .deleteUserCredential,
      summary:
        "Delete a passkey of an account and end the sessions that it opened; allowLast=true allows the last one",
      answers: [.init()], failures: [.notFound, .conflict],
      access: .confirmedAdministrator { try await $0.deleteCredential(ofUser: $1, $2, $3) }),
  ]

  /// The placeholder for the account ID in the path of an invitation. An email address there would appear in access
  /// logs.
  static let newUser = "new"

  private static func change(_ name: EndpointName, _ summary: String, _ change: Account.Change) -> Endpoint {
    Endpoint(
      name: name, summary: summary, answers: [.init()], failures: [.notFound, .conflict],
      access: .confirmedAdministrator { try await $0.change($1, change, $2, $3) })
  }

  private func listUsers(_ call: Call, _ administrator: Administrator) async throws -> Reply {
    let parameters = try call.parameters()
    let after = try parameters.text(.pageAfter).map { try call.accountID($0) }
    let state = try parameters.text(.accountState).map { try Self.read($0) { Account.State(rawValue: $0) } }
    let limit = parameters.integer(.pageLimit) ?? Int64(Self.pageLength)
    guard limit > 0 else { throw EndpointError(.targetMalformed) }
    let prefix = parameters.text(.accountPrefix).flatMap { Account.NamePrefix($0) }
    let order = try parameters.text(.pageSort).map { try Self.read($0) { Account.Filter.Order(rawValue: $0) } }
    let role = parameters.text(.accountRole).map { Role(rawValue: $0) }
    let filter = Account.Filter(state: state, role: role, prefix: prefix, order: order ?? .handle)
    // Without the link to the next page, a client would miss accounts.
    guard call.contract?.response?.path(of: .pageNext) != nil else {
      let accounts = try await self.accounts(after: after, matching: filter, by: administrator)
      return Reply.values { $0[.users] = .list(accounts.map { values(of: $0) }) }
    }
    let page = Int(min(limit, Int64(Self.pageLength)))
    let accounts = try await service.accounts(after: after, matching: filter, limit: page, by: administrator)
    // Counted once, because that can mean to read all accounts.
    let total = try await after == nil ? service.accountCount(matching: filter, by: administrator) : nil
    return Reply.values { (values) in
      values[.pageTotal] = total.map { .integer(Int64($0)) }
      values[.users] = .list(accounts.map { self.values(of: $0) })
      if accounts.count == page, let last = accounts.last {
        values.set(.pageNext, call.accountIDs.text(last.handle.bytes))
      }
    }
  }

  // 10,000 accounts  [2 MB of JSON; larger services page]
  private static let maximumAccountCount = 10_000

  /// Returns all accounts, or the first 10,000.
  private func accounts(
    after first: UserHandle?, matching filter: Account.Filter, by administrator: Administrator
  ) async throws -> [Account] {
    var accounts: [Account] = []
    var last = first
    while accounts.count < Self.maximumAccountCount {
      let page = try await service.accounts(
        after: last, matching: filter, limit: Self.pageLength, by: administrator)
      accounts += page
      guard page.count == Self.pageLength, let end = page.last else { break }
      last = end.handle
    }
    return accounts
  }

  private func showUser(_ call: Call, _ administrator: Administrator) async throws -> Reply {
    let handle = try call.userHandle
    let account = try await service.account(handle: handle, by: administrator)
    let sessions = try await service.sessions(of: handle, by: administrator, in: call.context)
    return Reply.values { (values) in
      add(account, to: &values)
      values[.sessions] = .list(
        sessions.map { (session) in
          var entry = ShapeValues()
          add(session, isThisOne: session.id == administrator.session?.session.id, to: &entry)
          return entry
        })
    }
  }

  private func approveUsers(
    _ call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    let handles = try (call.inputs().texts(.accountIDs) ?? []).map { (text) throws(EndpointError) in
      guard let handle = try? call.accountID(text) else {
        throw EndpointError(.bodyInvalidMember, member: call.contract?.request?.path(of: .accountIDs))
      }
      return handle
    }
    let accounts = try await service.approve(
      handles, by: administrator, confirmation: confirmation, in: call.context)
    return Reply.values { $0[.users] = .list(accounts.map { values(of: $0) }) }
  }

  private func change(
    _ call: Call, _ change: Account.Change, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    let account = try await service.change(
      call.userHandle, change, by: administrator, confirmation: confirmation, in: call.context)
    return Reply.values { add(account, to: &$0) }
  }

  private func updateUser(
    _ call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    let inputs = try call.inputs()
    let state = try inputs.text(.accountState).map { (text) throws(EndpointError) -> Account.State in
      guard let state = Account.State(rawValue: text) else {
        throw EndpointError(.bodyInvalidMember, member: call.contract?.request?.path(of: .accountState))
      }
      return state
    }
    let handle = try call.userHandle
    var roles = Self.roles(inputs)
    if let isAdministrator = inputs.boolean(.accountIsAdministrator) {
      let current = try await service.account(handle: handle, by: administrator).roles
      var changed = roles ?? current
      if isAdministrator { changed.insert(.administrator) } else { changed.remove(.administrator) }
      roles = changed
    }
    let account = try await service.update(
      handle, state: state, roles: roles, by: administrator, confirmation: confirmation, in: call.context)
    return Reply.values { add(account, to: &$0) }
  }

  private func setRoles(
    _ call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    let roles = Self.roles(try call.inputs())
    return try await change(call, .setRoles(roles ?? []), administrator, confirmation)
  }

  private static func roles(_ inputs: ShapeValues) -> Set<Role>? {
    inputs.texts(.accountRoles).map { Set($0.map { Role(rawValue: $0) }) }
  }

  private func invite(
    _ call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    guard call.request.parameters["id"] == Self.newUser else { throw EndpointError(.notFound) }
    let inputs = try call.inputs()
    let email = try email(in: inputs)
    let roles = Self.roles(inputs) ?? []
    if inputs.boolean(.codeByMail) == true {
      guard let email else {
        throw EndpointError(.bodyMissingMember, member: call.contract?.request?.path(of: .accountEmail))
      }
      let expiry = try await service.inviteByMail(
        email, roles: roles, by: administrator, confirmation: confirmation, in: call.context)
      return Reply.values { $0.set(.codeExpiry, expiry) }
    }
    let code = try await service.invite(
      email, roles: roles, by: administrator, confirmation: confirmation, in: call.context)
    return issued(code, until: call.context.time + service.policy.invitationLifetime)
  }

  private func recover(
    _ call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    let code = try await service.recover(
      call.userHandle, by: administrator, confirmation: confirmation, in: call.context)
    return issued(code, until: call.context.time + service.policy.recoveryLifetime)
  }

  private func revokeSessions(ofUser call: Call, _ administrator: Administrator) async throws -> Reply {
    let count = try await service.revokeAll(of: call.userHandle, by: administrator, in: call.context)
    return Reply.values { $0[.sessionRevokedCount] = .integer(Int64(count)) }
  }

  private func listCredentials(ofUser call: Call, _ administrator: Administrator) async throws -> Reply {
    let passkeys = try await service.passkeys(of: call.userHandle, by: administrator)
    return Reply.values { $0[.credentials] = .list(passkeys.map { values(of: $0) }) }
  }

  private func deleteCredential(
    ofUser call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    let allowsLast = try call.parameters().boolean(.credentialAllowLast) ?? false
    try await service.delete(
      call.credentialIDOfUser, of: call.userHandle, allowingLast: allowsLast, by: administrator,
      confirmation: confirmation, in: call.context)
    return Reply()
  }

  private func issued(_ code: OneTimeCode, until expiry: UnixTime) -> Reply {
    Reply.values { (values) in
      values.set(.code, code.exposedText)
      values.set(.codeExpiry, expiry)
    }
  }

  private static func read<Value>(_ text: String, _ body: (String) throws -> Value?) throws(EndpointError) -> Value {
    guard let value = try? body(text) else { throw EndpointError(.targetMalformed) }
    return value
  }

  // 100 accounts  [some 20 kB]
  private static let pageLength = 100
}
