// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats
public import PasskeyService
internal import PasskeyTransfers

/// Sends notices as mail through an SMTP server.
public struct SMTPSender: NoticeSender {
  private let server: SMTPServer
  private let from: Mailbox
  private let templates: MailTemplates
  private let service: String
  private let domain: String
  private let links: Links
  private let line: DeliveryLine
  private let now: @Sendable () -> UnixTime

  /// Returns the pages for the codes of a mail; nil if the service has none.
  public typealias Links = @Sendable (_ event: NoticeEvent, _ address: EmailAddress, _ code: MailedCode) -> MailLinks?

  // 4 [mail servers limit the connections of one client, often to ten]
  private static let concurrency = 4
  // 30 s, 60 s [mail servers look up the client's name before they greet, and filter the message before they answer; the
  // greeting and the login are part of connecting]
  private static let connectTimeout: Duration = .seconds(30)
  private static let totalTimeout: Duration = .seconds(60)

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - server: the mail server.
  ///   - from: the sender of the mails.
  ///   - templates: the templates.
  ///   - service: the name of the service in the mails.
  ///   - domain: the relying party's domain in the mails.
  ///   - links: the pages for the codes of a mail. A code in an address belongs into its fragment, which browsers do not send.
  ///   - certificateAuthority: a PEM file with trusted authorities, which replaces the system's.
  ///   - now: returns the current time.
  public init(
    server: SMTPServer, from: Mailbox, templates: MailTemplates, service: String, domain: String,
    links: @escaping Links = { (_, _, _) in nil }, certificateAuthority: String? = nil,
    now: @escaping @Sendable () -> UnixTime
  ) {
    var settings = DeliverySettings()
    settings.certificateAuthority = certificateAuthority
    settings.connectTimeout = Self.connectTimeout
    settings.totalTimeout = Self.totalTimeout
    self.init(
      server: server, from: from, templates: templates, service: service, domain: domain, links: links,
      settings: settings, now: now)
  }

  init(
    server: SMTPServer, from: Mailbox, templates: MailTemplates, service: String, domain: String,
    links: @escaping Links = { (_, _, _) in nil }, settings: DeliverySettings, now: @escaping @Sendable () -> UnixTime
  ) {
    var settings = settings
    settings.reach = server.isEncrypted ? .allAddresses : .thisMachine
    self.server = server
    self.from = from
    self.templates = templates
    self.service = service
    self.domain = domain
    self.links = links
    line = DeliveryLine(settings, concurrency: Self.concurrency)
    self.now = now
  }

  /// The email address of the account.
  public var audience: NoticeAudience { .mail }

  /// The events that have a template.
  public var events: [String] { templates.events }

  /// Sends a notice as a mail once.
  public func send(_ notice: OutgoingNotice) async -> DeliveryResult {
    do throws(Rejection) {
      return await send(try message(for: notice))
    } catch {
      return .rejected(reason: error.reason)
    }
  }

  /// Sends the test mail to an address.
  public func sendTest(to address: EmailAddress) async -> DeliveryResult {
    guard let template = templates[MailTemplates.test], let id = try? RandomSource.system.bytes(16) else {
      return .rejected(reason: "no mail template for a test")
    }
    guard let recipient = try? Mailbox(address) else { return .rejected(reason: "invalid address") }
    return await send(message(template, to: recipient, at: now(), nil, id: id))
  }

  /// Closes the connections.
  public func close() async { await line.close() }

  /// Why a notice cannot become a mail.
  struct Rejection: Error {
    let reason: String
  }

  /// Returns the mail of a notice, in the language and the time zone of its account.
  func message(for notice: OutgoingNotice) throws(Rejection) -> MailMessage {
    guard case .mail(let address, let account, let code) = notice.recipient else {
      throw Rejection(reason: "the recipient is not an email address")
    }
    let (notice, locale) = (notice.notice, account?.locale ?? MailLocale())
    guard let template = templates[notice.event.rawValue, locale.language ?? code?.language] else {
      throw Rejection(reason: "no mail template for \(notice.event)")
    }
    guard !template.hasCode || code != nil else { throw Rejection(reason: "the code is no longer valid") }
    guard let recipient = try? Mailbox(address) else { throw Rejection(reason: "invalid address") }
    return message(
      template, to: recipient, at: notice.time, code, code.flatMap { (code) in links(notice.event, address, code) },
      in: locale.timeZone.flatMap(ZoneRules.init(named:)), id: notice.id.bytes)
  }

  private func send(_ message: MailMessage) async -> DeliveryResult {
    var content = MailContent(
      from: from.address.text, to: message.to.address.text, message: message.bytes,
      requiresStartTLS: server.requiresStartTLS)
    content.username = server.username
    content.password = server.password
    // libcurl takes the name of this machine for EHLO from the path.
    switch await line.send(content, to: server.url + from.domain) {
    case .success: return .delivered
    case .failure(let fault): return Self.result(fault)
    }
  }

  func message(
    _ template: MailTemplate, to recipient: Mailbox, at time: UnixTime, _ code: MailedCode?, _ links: MailLinks? = nil,
    in zone: ZoneRules? = nil, id: [UInt8]
  ) -> MailMessage {
    var values: [MailPlaceholder: String] = [
      .service: service, .domain: domain, .address: recipient.address.text, .time: Self.shown(time, in: zone),
    ]
    if let code {
      values[.code] = code.exposedText
      values[.cancellation] = code.exposedCancellation
      values[.start] = Self.shown(code.start ?? time, in: zone)
      values[.expiry] = Self.shown(code.expiry, in: zone)
      (values[.link], values[.cancellationLink]) = (links?.code, links?.cancellation)
    }
    return MailMessage(
      from: from, to: recipient, subject: MailText(template.subject.filled(values)), date: now(),
      id: MailMessage.NoticeToken(id), text: template.text.filled(values),
      html: template.html.filled(values, escape: \.escapedForHTML))
  }

  /// Returns `2026-11-23 06:12 CET`, or `2026-11-23 05:12 UTC` without a zone.
  private static func shown(_ time: UnixTime, in zone: ZoneRules?) -> String {
    let (shown, name) = zone?.local(time) ?? (time, "UTC")
    guard let text = shown.rfc3339 else { return "\(time)" }
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) \(name)"
  }

  /// Returns the result for a failed transfer. A 5xx reply to the mail is final. Every other failure may be temporary,
  /// such as a refused login, which is a mistake in the settings.
  private static func result(_ fault: TransferFault) -> DeliveryResult {
    switch fault.cause {
    case .connectionLost, .truncated, .other:
      if fault.mayHaveBeenSent, 500..<600 ~= fault.status { return .rejected(reason: "SMTP reply \(fault.status)") }
      if 400..<500 ~= fault.status { return .retry(after: nil, reason: "SMTP reply \(fault.status)") }
    default: break
    }
    return DeliveryResult(fault)
  }
}
