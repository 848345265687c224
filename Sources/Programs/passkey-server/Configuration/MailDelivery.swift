// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyDelivery
internal import PasskeyFormats
internal import PasskeyPages
internal import PasskeyService
internal import WebAuthnRelyingParty

/// The settings of mail.
struct MailDelivery: Sendable {
  let server: SMTPServer
  let from: Mailbox
  /// The folder with templates; nil for the embedded ones.
  let folder: String?
  let events: [String]
  private let templates: MailTemplates
  private let authority: String?
  private let service: String
  private let domain: String
  private let site: SiteLinks?

  /// Returns nil without a mail server. Mails have links if there are pages at an origin.
  init?(_ settings: Settings, _ relyingParty: RelyingParty, _ pageOrigin: String?) throws(CommandFailure) {
    guard let mail = settings.choice(.mail) else {
      let others: [Setting] = [.mailFrom, .mailPassword, .mailTemplates, .mailEvents, .mailAuthority]
      for setting in others {
        guard let choice = settings.list(setting).first else { continue }
        throw .usage("\(choice.place) needs a mail server", hint: "name it with \(Setting.mail.option)")
      }
      return nil
    }
    let password = try settings.choice(.mailPassword).map { (choice) throws(CommandFailure) in
      try DeliverySecret.read(choice.text)
    }
    // The value is not repeated: people write passwords into it.
    server = try mapError(SMTPServer(mail.text, password: password)) { (error: DeliveryError) in
      CommandFailure.usage("\(mail.place) is not usable", hint: error.detail ?? error.code.rawValue)
    }
    let sender = settings.choice(.mailFrom)
    do throws(DeliveryError) {
      from = try Mailbox(sender?.text ?? "\(relyingParty.name) <no-reply@\(relyingParty.id.text)>")
    } catch {
      let hint = error.detail ?? error.code.rawValue
      if let sender { throw sender.refused(hint) }
      throw .usage("mail has no sender", hint: "name it with \(Setting.mailFrom.option)")
    }
    folder = settings.choice(.mailTemplates)?.text
    do throws(DeliveryError) {
      templates = if let folder { try MailTemplates(folder: folder) } else { try MailTemplates() }
    } catch {
      throw .inputOutput("unusable mail template: \(error)")
    }
    let known = templates.events
    let chosen = try settings.list(.mailEvents).map { (choice) throws(CommandFailure) in
      guard known.contains(choice.text) else { throw choice.refused("it can be \(known.joined(separator: ", "))") }
      return choice.text
    }
    events =
      chosen.isEmpty
      ? templates.defaultEvents : known.filter { chosen.contains($0) || MailTemplates.alwaysSent.contains($0) }
    authority = settings.choice(.mailAuthority)?.text
    service = relyingParty.name
    domain = relyingParty.id.text
    site = pageOrigin.map { (origin) in SiteLinks(origin: origin) }
  }

  func sender() throws(CommandFailure) -> SMTPSender {
    if let authority { _ = try InputFile.bytes(authority) }
    return SMTPSender(
      server: server, from: from, templates: templates, service: service, domain: domain,
      links: { [site] (event, address, code) in site?.links(event, address, code) }, certificateAuthority: authority,
      now: { Clock.now })
  }
}

extension SiteLinks {
  /// Returns the pages for the codes of a mail.
  fileprivate func links(_ event: NoticeEvent, _ address: EmailAddress, _ code: MailedCode) -> MailLinks {
    switch event {
    case .accountInvited: MailLinks(code: invitation(code.exposedText, for: address.text))
    case .recoveryRequested:
      MailLinks(
        code: recovery(code.exposedText, of: address.text), cancellation: code.exposedCancellation.map(cancellation))
    default: MailLinks(code: verification(code.exposedText))
    }
  }
}
