// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import PasskeyDelivery

struct MailTemplateTests {
  @Test func `every embedded template is well formed`() throws {
    let templates = try MailTemplates()
    #expect(templates.events.count == MailTemplates.embedded.count - 1)
    #expect(Set(templates.events).isSuperset(of: MailTemplates.alwaysSent))
    for event in templates.events {
      let template = try #require(templates[event])
      #expect(template.hasCode == MailTemplates.eventsWithCode.contains(event))
      #expect(template.subject.contains(.service))
      #expect(template.html.filled([.code: "CODE", .service: "Raxx"]).hasPrefix("<!DOCTYPE html>"))
    }
  }

  @Test func `the mail of a recovery has its times, its code and the code that cancels it`() throws {
    let start = UnixTime(secondsSince1970: 1_800_000_000)
    let code = MailedCode(
      "AAAAA-BBBBB", cancellation: "CCCCC-DDDDD", start: start, expiry: start + .seconds(86_400))
    let sender = SMTPSender(
      server: try SMTPServer("smtp://mail.example"), from: try Mailbox("no-reply@raxx.app"),
      templates: try MailTemplates(), service: "Raxx", domain: "raxx.app", now: { start })
    let template = try #require(try MailTemplates()["account.recovery-requested"])
    let message = sender.message(
      template, to: try Mailbox(try EmailAddress("ada@raxx.app")), at: start - .seconds(60), code, id: [1])
    for form in [message.text, message.html] {
      for part in [
        "AAAAA-BBBBB", "CCCCC-DDDDD", "2027-01-15 08:00 UTC", "2027-01-16 08:00 UTC", "2027-01-15 07:59 UTC",
      ] {
        #expect(form.contains(part))
      }
      #expect(!form.contains("{{"))
    }
    #expect(message.html.contains(">CCCCC-DDDDD</p>"))
    #expect(!message.subject.unstructured.contains("-BBBBB"))
  }

  @Test func `a mail has a link to the page for its code, or no line about one`() throws {
    let code = MailedCode("AAAAA-BBBBB", cancellation: "CCCCC-DDDDD", expiry: UnixTime(secondsSince1970: 900))
    let sender = SMTPSender(
      server: try SMTPServer("smtp://mail.example"), from: try Mailbox("no-reply@raxx.app"),
      templates: try MailTemplates(), service: "Raxx", domain: "raxx.app", now: { UnixTime(secondsSince1970: 0) })
    let links = MailLinks(
      code: "https://raxx.app/#recover?a=1&code=AAAAA-BBBBB", cancellation: "https://raxx.app/#recover?cancel=CCCCC")
    for event in MailTemplates.eventsWithCode {
      let template = try #require(try MailTemplates()[event])
      let recipient = try Mailbox(try EmailAddress("ada@raxx.app"))
      let at = UnixTime(secondsSince1970: 0)
      let with = sender.message(template, to: recipient, at: at, code, links, id: [1])
      #expect(with.text.contains("this page has the code already: \(links.code)\n".dropFirst()))
      #expect(with.html.contains(#"<a href="https://raxx.app/#recover?a=1&amp;code=AAAAA-BBBBB">https://"#))
      #expect(!with.subject.unstructured.contains("http"))
      let without = sender.message(template, to: recipient, at: at, code, id: [1])
      for form in [without.text, without.html] {
        #expect(!form.contains("page has") && !form.contains("href") && !form.contains("\n\n\n"))
      }
      #expect(without.text.contains("AAAAA-BBBBB\n\nThe code works once"))
    }
    // A subject is on locked screens, and a link has the code.
    for placeholder in ["link", "cancellation-link"] {
      let error = #expect(throws: DeliveryError.self) {
        try MailTemplate(text: "Subject: {{\(placeholder)}}\n\n{{code}}", html: nil, hasCode: true, named: "x")
      }
      #expect(error?.code == .templatePlaceholderUnknown)
    }
  }

  @Test func `every mail is written in each language`() throws {
    let templates = try MailTemplates()
    #expect(MailTemplates.translatedSources.keys.sorted() == ["de", "es", "fr"])
    for (language, sources) in MailTemplates.translatedSources {
      #expect(sources.keys.sorted() == templates.events)
      for event in templates.events {
        let (english, other) = (try #require(templates[event]), try #require(templates[event, language]))
        #expect(english != other && other.hasCode == english.hasCode)
        #expect(english.subject != other.subject && other.subject.contains(.service))
        #expect(other.html.filled([.code: "CODE"]).contains(#"<html lang="\#(language)">"#))
        #expect(templates[event, "it"] == english && templates[event, "../x"] == english)
        // Each language says the same.
        for placeholder in MailPlaceholder.allCases {
          #expect(english.text.contains(placeholder) == other.text.contains(placeholder), "\(event) \(placeholder)")
        }
      }
    }
  }

  @Test(arguments: [
    ("2026-07-01T10:00:00Z", "Am 2026-07-01 12:00 CEST wurde"),
    ("2026-12-01T10:00:00Z", "Am 2026-12-01 11:00 CET wurde"),
  ])
  func `a notice has the language and the time zone of its account`(_ time: String, _ words: String) throws {
    let time = try UnixTime(rfc3339: time)
    let sender = SMTPSender(
      server: try SMTPServer("smtp://mail.example"), from: try Mailbox("no-reply@raxx.app"),
      templates: try MailTemplates(), service: "Raxx", domain: "raxx.app", now: { time })
    var account = try Sample.account("ada@raxx.app")
    let address = try #require(account.email)
    let mail = { (event: NoticeEvent, account: Account?, code: MailedCode?) in
      let notice = Notice(event, cause: "x", of: account?.handle, at: time, details: [:])
      return try sender.message(for: OutgoingNotice(notice, to: .mail(address, account: account, code: code)))
    }
    let unknown = try mail(.credentialRegistered, account, nil)
    #expect(unknown.text.contains(" at \(time.description.prefix(10)) 10:00 UTC."))
    account.locale = MailLocale(language: "de", timeZone: "Europe/Berlin")
    let german = try mail(.credentialRegistered, account, nil)
    #expect(german.subject.text == "Ein neuer Passkey für Ihr Konto bei Raxx")
    #expect(german.text.contains(words) && german.html.contains(words) && german.html.contains(#"<html lang="de">"#))
    let code = MailedCode("AAAAA-BBBBB", start: time, expiry: time + .seconds(3_600), language: "fr")
    #expect(try mail(.recoveryRequested, account, code).text.contains(words))
    #expect(try mail(.recoveryRequested, nil, code).text.contains("10:00 UTC au "))
    // A language without mails, and a zone that the system has no more.
    account.locale = MailLocale(language: "it", timeZone: "Europe/Atlantis")
    #expect(try mail(.credentialRegistered, account, nil).text == unknown.text)
  }

  @Test func `a folder replaces a mail in all languages, or in one`() throws {
    let folder = try TemporaryFolder()
    let text = { (subject: String) in Array("Subject: \(subject)\n\n{{code}}\n".utf8) }
    try File.write(text("Own"), to: folder.path + "/account.invited.txt")
    try File.write(text("Propre"), to: folder.path + "/email.verification-requested.fr.txt")
    let templates = try MailTemplates(folder: folder.path)
    #expect(templates["account.invited", "de"]?.subject.filled([:]) == "Own")
    #expect(templates["email.verification-requested", "fr"]?.subject.filled([:]) == "Propre")
    #expect(
      templates["email.verification-requested", "de"]?.subject.filled([.service: "R"])
        == "E-Mail-Adresse für R bestätigen")
    #expect(!templates.events.contains("email.verification-requested.fr"))
    try File.write(text("Eigene"), to: folder.path + "/account.invited.de.txt")
    let both = try MailTemplates(folder: folder.path)
    #expect(both["account.invited", "de"]?.subject.filled([:]) == "Eigene")
    #expect(both["account.invited"]?.subject.filled([:]) == "Own")
    for (name, subject) in [
      ("session.new-client.de", "Eigene Anmeldung"), ("order.filled", "Filled"), ("order.filled.de", "Erledigt"),
      ("order.filled.partly", "Partly"),
    ] {
      try File.write(Array("Subject: \(subject)\n\n{{time}}\n".utf8), to: "\(folder.path)/\(name).txt")
    }
    let all = try MailTemplates(folder: folder.path)
    #expect(all["session.new-client", "de"]?.subject.filled([:]) == "Eigene Anmeldung")
    #expect(all["session.new-client", "fr"] == templates["session.new-client", "fr"])
    #expect(all["order.filled", "de"]?.subject.filled([:]) == "Erledigt")
    #expect(all["order.filled", "fr"]?.subject.filled([:]) == "Filled")
    #expect(all.events.filter { $0.hasPrefix("order.") } == ["order.filled", "order.filled.partly"])
  }

  @Test func `every sign-in is a mail only on request`() throws {
    let templates = try MailTemplates()
    #expect(Set(templates.events).subtracting(templates.defaultEvents) == ["session.opened"])
    #expect(Set(templates.defaultEvents).isSuperset(of: MailTemplates.alwaysSent))
  }

  @Test(arguments: ["start", "expiry", "cancellation", "link", "cancellation-link"])
  func `a mail without a code has no times of one`(_ placeholder: String) {
    let error = #expect(throws: DeliveryError.self) {
      try MailTemplate(text: "Subject: A\n\n{{\(placeholder)}}", html: nil, hasCode: false, named: "x")
    }
    #expect(error?.code == .templatePlaceholderUnknown)
    let subject = #expect(throws: DeliveryError.self) {
      try MailTemplate(text: "Subject: {{cancellation}}\n\n{{code}}", html: nil, hasCode: true, named: "x")
    }
    #expect(subject?.code == .templatePlaceholderUnknown)
  }

  @Test(arguments: [
    ("Hello\n\nBody\n", DeliveryError.Code.templateWithoutSubject),
    ("Subject: A\nBody\n", .templateWithoutSubject), ("Subject: \n\nBody", .templateWithoutSubject),
    ("Subject: A\nX: B\n\nBody", .templateWithoutSubject), ("", .templateWithoutSubject),
    ("Subject: A\n\n{{name}}", .templatePlaceholderUnknown), ("Subject: A\n\n{{}}", .templatePlaceholderUnknown),
    ("Subject: A\n\n{{code}}", .templatePlaceholderUnknown), ("Subject: A\n\n{{service", .templateMalformed),
    ("Subject: {{CODE}}\n\nBody", .templatePlaceholderUnknown),
  ])
  func `a malformed template is refused`(_ source: String, _ code: DeliveryError.Code) {
    let error = #expect(throws: DeliveryError.self) {
      try MailTemplate(text: source, html: nil, hasCode: false, named: "a.b")
    }
    #expect(error?.code == code)
    #expect(error?.detail?.hasPrefix("a.b") == true)
  }

  @Test func `a mail with a code has it in both forms and not in the subject`() {
    for (text, html) in [
      ("Subject: A\n\nno code", nil), ("Subject: A\n\n{{code}}", "<p>none</p>"), ("Subject: A\n\nnone", "{{code}}"),
    ] as [(String, String?)] {
      let error = #expect(throws: DeliveryError.self) {
        try MailTemplate(text: text, html: html, hasCode: true, named: "x")
      }
      #expect(error?.code == .templateWithoutCode)
    }
    let error = #expect(throws: DeliveryError.self) {
      try MailTemplate(text: "Subject: {{code}}\n\n{{code}}", html: nil, hasCode: true, named: "x")
    }
    #expect(error?.code == .templatePlaceholderUnknown)
  }

  @Test func `values are escaped in HTML only`() throws {
    let template = try MailTemplate(
      text: "Subject: A\n\n{{ service }} & <b>\nline\n\nnext {{service}}", html: nil, hasCode: false, named: "x")
    let values: [MailPlaceholder: String] = [.service: "<i>\"R'&"]
    #expect(template.text.filled(values) == "<i>\"R'& & <b>\nline\n\nnext <i>\"R'&")
    let html = template.html.filled(values, escape: \.escapedForHTML)
    #expect(html.contains("&lt;i&gt;&quot;R&#39;&amp; &amp; &lt;b&gt;<br>\nline</p>"))
    #expect(!html.contains("<i>"))
  }

  @Test func `any text is a template or an error, and fills without placeholders left`() throws {
    let pieces = ["{{", "}}", "{", "}", "service", "code", " ", "\n", "Subject: ", "é", "<", "{{service}}", "{{time}}"]
    try PropertyRuns.check(default: 5_000) { (generator) in
      var source = Bool.random(using: &generator) ? "Subject: A\n\n" : ""
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        source += pieces.randomElement(using: &generator) ?? ""
      }
      guard let template = try? MailTemplate(text: source, html: source, hasCode: false, named: "x") else { return }
      let filled = template.html.filled([:])
      #expect(!filled.contains("{{service}}") && !filled.contains("{{time}}"))
    }
  }

  @Test func `a folder replaces templates and adds others`() async throws {
    try await waiting {
      let folder = try TemporaryFolder()
      try File.write(Array("Subject: Mine\n\nText\n".utf8), to: "\(folder.path)/session.opened.txt")
      try File.write(Array("<p>HTML</p>".utf8), to: "\(folder.path)/session.opened.html")
      try File.write(Array("Subject: Filled\r\n\r\n{{time}}\r\n".utf8), to: "\(folder.path)/order.filled.txt")
      let templates = try MailTemplates(folder: folder.path)
      #expect(templates["session.opened"]?.html.filled([:]) == "<p>HTML</p>")
      #expect(templates["session.opened"]?.subject.filled([:]) == "Mine")
      #expect(templates["order.filled"]?.text.filled([.time: "now"]) == "now\n")
      #expect(templates.events.contains("security.alert"))
    }
  }

  @Test(arguments: [
    ("README", "x", DeliveryError.Code.templateUnreadable), ("session.opened.html", "x", .templateUnreadable),
    ("session.opened.txt", "x", .templateWithoutSubject), ("se ssion.txt", "x", .templateUnreadable),
    ("email.verification-requested.txt", "Subject: A\n\nno code", .templateWithoutCode),
  ])
  func `an unusable file in the folder is an error`(
    _ name: String, _ content: String, _ code: DeliveryError.Code
  ) async throws {
    try await waiting {
      let folder = try TemporaryFolder()
      try File.write(Array(content.utf8), to: "\(folder.path)/\(name)")
      let error = #expect(throws: DeliveryError.self) { try MailTemplates(folder: folder.path) }
      #expect(error?.code == code)
    }
  }

  @Test func `a missing folder is an error`() async throws {
    try await waiting {
      let error = #expect(throws: DeliveryError.self) { try MailTemplates(folder: "/nowhere/at/all") }
      #expect(error?.code == .templateUnreadable)
    }
  }
}
