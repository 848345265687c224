// SPDX-License-Identifier: Apache-2.0

extension MailTemplates {
  /// The sources of the embedded templates of mails with codes, in German.
  static let german: [String: String] = [
    "email.verification-requested": """
    Subject: E-Mail-Adresse für {{service}} bestätigen

    Geben Sie diesen Code ein, um zu bestätigen, dass {{address}} Ihre E-Mail-Adresse ist:

    {{code}}

    In dem Browser, in dem Sie begonnen haben, hat diese Seite den Code schon: {{link}}

    Der Code gilt einmal, bis {{expiry}}. Wenn Sie ihn nicht angefordert haben, tun Sie nichts: Ohne den Code kann kein Konto bei \
    {{domain}} die Adresse verwenden. Geben Sie den Code niemals weiter.

    """,
    "account.invited": """
    Subject: Ihre Einladung zu {{service}}

    Sie sind eingeladen, bei {{service}} ein Konto mit der Adresse {{address}} zu erstellen. Dazu brauchen Sie diesen Code:

    {{code}}

    Diese Seite hat den Code schon: {{link}}

    Der Code gilt einmal, bis {{expiry}}. Geben Sie ihn niemals weiter. Wenn Sie kein Konto bei {{domain}} möchten, tun Sie nichts.

    """,
    "account.recovery-requested": """
    Subject: Konto bei {{service}} wiederherstellen

    Am {{time}} wurde die Wiederherstellung Ihres Kontos bei {{service}} angefordert. Mit diesem Code können Sie einen neuen \
    Passkey erstellen:

    {{code}}

    Diese Seite hat den Code schon: {{link}}

    Der Code gilt einmal, von {{start}} bis {{expiry}}. Geben Sie ihn niemals weiter.

    Wenn Sie das nicht angefordert haben, brechen Sie es vor {{start}} ab: Melden Sie sich bei {{domain}} an, oder geben Sie diesen \
    Code ein, wo nach dem Stornocode gefragt wird:

    {{cancellation}}

    Diese Seite hat den Stornocode schon: {{cancellation-link}}

    """,
  ]
}
