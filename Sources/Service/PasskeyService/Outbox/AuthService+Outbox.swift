// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import PasskeyStorage
internal import WebAuthnTypes

/// The recipients of a notice, looked up when it is sent.
public struct NoticeContact: Sendable {
  /// The account that the notice concerns; nil if it has no account or the account was erased.
  public var account: Account?

  /// The email address that receives it; nil for none.
  public var email: EmailAddress?

  /// The code and the times that the message must carry; nil for none.
  public var code: MailedCode?

  /// The devices of the account that are not revoked.
  package var devices: [Device] = []
}

extension AuthService {
  /// A signal after each commit of this process that wrote notices.
  public var outboxSignal: OutboxSignal { storage.outboxSignal }

  /// Draws the identifier of a deliverer.
  package func newDelivererID() throws(ServiceError) -> DelivererID {
    DelivererID(unchecked: try random.draw(DelivererID.byteCount))
  }

  /// Writes notices of the server that embeds the service, for each destination that wants them.
  ///
  /// To write a notice together with a change, see ``ServiceTransaction/enqueue(_:)``.
  ///
  /// - Throws: A storage code.
  public func enqueue(_ notices: [Notice]) async throws(ServiceError) {
    let routed = policy.destinations.routes(notices)
    guard !routed.isEmpty else { return }
    try await stored(async: await storage.enqueue(routed))
  }

  /// Writes one notice for each session that ends within ``ServicePolicy/Sessions/warning``. Repeated calls do not
  /// write a notice twice. Call it every few seconds, on any number of servers.
  ///
  /// - Returns: The number of notices.
  /// - Throws: A storage code. The next call continues.
  @discardableResult
  package func announceExpiring(at now: UnixTime) async throws(ServiceError) -> Int {
    let names = policy.destinations.names(wanting: .sessionExpiring)
    guard !names.isEmpty, policy.sessions.warning > .zero else { return 0 }
    let end = now + policy.sessions.warning
    var total = 0
    while !Task.isCancelled {
      let count = try await stored(
        async: await storage.announceExpiring(until: end, at: now, to: names, limit: Self.announcementLimit))
      total += count
      if count < Self.announcementLimit { break }
    }
    return total
  }

  /// Claims due notices for a deliverer.
  ///
  /// - Throws: A storage code.
  package func claim(_ claim: OutboxClaim) async throws(ServiceError) -> [OutboxItem] {
    try await stored(async: await storage.claim(claim))
  }

  /// Writes the outcome of a claimed notice.
  ///
  /// - Throws: A storage code.
  package func settle(_ item: OutboxItem, _ outcome: OutboxOutcome, at now: UnixTime) async throws(ServiceError) {
    try await stored(async: await storage.settle(item, outcome, at: now))
  }

  /// Looks up the recipients of a notice, and the code for its mail. Returns no recipients if, for example, the account was
  /// erased, the code has expired, or the owner has switched off this kind of notice.
  ///
  /// - Throws: A storage code.
  public func contact(
    of notice: Notice, withDevices: Bool, at now: UnixTime
  ) async throws(ServiceError) -> NoticeContact {
    var contact = NoticeContact()
    if let id = notice.emailCeremony {
      let found = try await stored(async: await storage.emailCeremony(id))
      guard let found, !found.isDecoy, now <= found.expiry else { return NoticeContact() }
      contact.email = found.email
      contact.code = mailedCode(of: found)
    }
    guard let handle = notice.account else { return contact }
    let account = try await stored(async: await storage.account(handle))
    guard let account else { return NoticeContact() }
    contact.account = account
    if !notice.event.isMandatory {
      let preferences = try await stored(async: await storage.preferences(of: handle))
      guard preferences.allows(notice.event) else { return contact }
    }
    // An address that its owner has not confirmed gets no mail about the account, but codes, and warnings about the address.
    if notice.emailCeremony == nil, notice.event == .signUpAttempted || !awaitsVerification(account) {
      contact.email = account.email
    }
    if withDevices {
      contact.devices = try await stored(async: await storage.devices(of: handle).filter { $0.revoked == nil })
    }
    return contact
  }

  // 500 sessions  [locks last some milliseconds]
  private static let announcementLimit = 500
}

// MARK: Administration

extension AuthService {
  /// Lists notices in the outbox, in the order in which they were written.
  ///
  /// - Throws: A storage code.
  package func outboxItems(
    _ selection: OutboxSelection = OutboxSelection(), after number: Int64 = 0, limit: Int
  ) async throws(ServiceError) -> [OutboxItem] {
    try await stored(async: await storage.outboxItems(selection, after: number, limit: limit))
  }

  /// Makes the selected notices due now. Dead letters become waiting notices again. Returns the number of notices.
  ///
  /// - Throws: A storage code.
  package func requeue(_ selection: OutboxSelection, at now: UnixTime) async throws(ServiceError) -> Int {
    try await stored(async: await storage.requeue(selection, at: now))
  }

  /// Deletes the selected notices without delivering them. Returns the number of notices.
  ///
  /// - Throws: A storage code.
  package func drop(_ selection: OutboxSelection, at now: UnixTime) async throws(ServiceError) -> Int {
    try await stored(async: await storage.drop(selection, at: now))
  }

  /// Returns the number of notices for each destination with notices.
  ///
  /// - Throws: A storage code.
  package func outboxCounts() async throws(ServiceError) -> [OutboxCount] {
    try await stored(async: await storage.outboxCounts())
  }
}

extension [NoticeDestination] {
  /// Returns the notices that at least one destination wants, each with these destinations.
  package func routes(_ notices: [Notice]) -> [RoutedNotice] {
    notices.compactMap { (notice) in
      let names = names(wanting: notice.event)
      return names.isEmpty ? nil : RoutedNotice(notice, to: names)
    }
  }
}
