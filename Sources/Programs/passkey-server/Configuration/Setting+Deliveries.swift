// SPDX-License-Identifier: Apache-2.0

// The settings of mail, webhooks and push messages.

extension Setting {
  static let mail = Self(
    name: "mail", valueName: "URL",
    help: "send mail through this server: smtp://USER@HOST:PORT with STARTTLS, or smtps:// (no mail)")
  static let mailFrom = Self(
    name: "mail-from", valueName: "ADDRESS",
    help: "the sender of mails, such as \"Raxx <no-reply@raxx.app>\" (no-reply at the RP ID)")
  static let mailPassword = Self(
    name: "mail-password", valueName: "FILE", help: "a file with the password of the mail server's user")
  static let mailTemplates = Self(
    name: "mail-templates", valueName: "FOLDER", help: "templates that replace the embedded ones: EVENT.txt, EVENT.html"
  )
  static let mailEvents = Self(
    name: "mail-event", valueName: "EVENT", isList: true,
    help: "send mails for these events only; mails with codes are always sent (all events that have a template, except "
      + "session.opened)")
  static let mailAuthority = Self(
    name: "mail-cacert", valueName: "FILE",
    help: "trust the certificate authorities of this PEM file for the mail server (the system's)")
  static let deliveries = Self(
    name: "deliveries", valueName: "FILE",
    help: "send events to the webhooks and push services of this JSON file (none)")

  static let deliverySettings = [
    mail, mailFrom, mailPassword, mailTemplates, mailEvents, mailAuthority, deliveries,
  ]
}
