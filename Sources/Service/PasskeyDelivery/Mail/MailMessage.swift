// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyService

// message = fields CRLF *( "--" boundary CRLF fields CRLF body ) "--" boundary "--" CRLF       (RFC 5322, RFC 2046 §5.1)

/// A mail in plain text and HTML.
struct MailMessage: Hashable, Sendable {
  var from: Mailbox
  var to: Mailbox
  var subject: MailText
  var date: UnixTime
  /// The part of the Message-ID before the @. It is the same in each attempt to send the mail.
  var id: NoticeToken
  var text: String
  var html: String

  /// A value of letters, digits, hyphens and underscores.
  struct NoticeToken: Hashable, Sendable {
    let text: String

    init(_ bytes: [UInt8]) {
      text = Base64URL.encode(bytes)
    }
  }

  /// The message for SMTP, in ASCII.
  var bytes: [UInt8] {
    // Quoted-printable text never contains an equals sign before an underscore.
    let boundary = "=_\(Base64URL.encode(Digest.sha256(Array(id.text.utf8)).prefix(18)))"
    var fields: [(name: String, value: String)] = [
      ("Date", Self.date(date)), ("Message-ID", "<\(id.text)@\(from.domain)>"), ("From", Self.mailbox(from)),
      ("To", Self.mailbox(to)), ("Subject", subject.unstructured),
      // RFC 3834: vacation programs must not answer.
      ("Auto-Submitted", "auto-generated"),
      ("MIME-Version", "1.0"),
    ]
    fields.append(("Content-Type", "multipart/alternative;\r\n boundary=\"\(boundary)\""))
    var output = fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
    for (type, body) in [("text/plain", text), ("text/html", html)] {
      output += "--\(boundary)\r\nContent-Type: \(type); charset=utf-8\r\n"
      output += "Content-Transfer-Encoding: quoted-printable\r\n\r\n\(QuotedPrintable.encode(body))"
    }
    return Array((output + "--\(boundary)--\r\n").utf8)
  }

  private static func mailbox(_ mailbox: Mailbox) -> String {
    guard let name = mailbox.name else { return mailbox.address.text }
    let phrase = MailText(name).phrase
    // An address can have 254 characters, and a line with an encoded word at most 76.
    return "\(phrase)\r\n <\(mailbox.address.text)>"
  }

  /// Returns the form of RFC 5322 §3.3, in UTC.
  static func date(_ time: UnixTime) -> String {
    // Sunday is 0; 1970-01-01 was a Thursday.
    let days = time.secondsSince1970 / 86_400 - (time.secondsSince1970 % 86_400 < 0 ? 1 : 0)
    let weekday = Int(((days + 4) % 7 + 7) % 7)
    guard let text = time.rfc3339 else { return date(UnixTime(secondsSince1970: 0)) }
    let parts = text.split { "-T:Z".contains($0) }.map(String.init)
    guard parts.count == 6, let month = Int(parts[1]), let day = Int(parts[2]) else {
      return date(UnixTime(secondsSince1970: 0))
    }
    return "\(weekdays[weekday]), \(day) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) +0000"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
