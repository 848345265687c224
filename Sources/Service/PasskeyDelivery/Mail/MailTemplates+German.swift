// SPDX-License-Identifier: Apache-2.0

extension MailTemplates {
  /// The sources of the embedded templates, in German.
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
    "email.change-requested": """
    Subject: Ihre E-Mail-Adresse bei {{service}} soll sich ändern

    Am {{time}} wurde für Ihr Konto bei {{service}} eine andere E-Mail-Adresse angegeben. Sie ersetzt diese, sobald \
    die neue Adresse bestätigt ist.

    Wenn Sie das nicht waren, melden Sie sich bei {{domain}} an, beenden Sie alle Sitzungen und prüfen Sie Ihre \
    Passkeys.

    """,
    "email.changed": """
    Subject: Ihre E-Mail-Adresse bei {{service}} hat sich geändert

    Seit {{time}} ist {{address}} die E-Mail-Adresse Ihres Kontos bei {{service}}. E-Mails über das Konto gehen an \
    diese Adresse.

    Wenn Sie das nicht waren, melden Sie sich bei {{domain}} an, beenden Sie alle Sitzungen und prüfen Sie Ihre \
    Passkeys.

    """,
    "email.replaced": """
    Subject: Ihre E-Mail-Adresse bei {{service}} wurde ersetzt

    Seit {{time}} hat Ihr Konto bei {{service}} eine andere E-Mail-Adresse. E-Mails über das Konto gehen nicht mehr \
    an {{address}}.

    Wenn Sie das nicht waren, wenden Sie sich sofort an den Dienst: Vielleicht hat eine andere Person Zugang zu Ihrem \
    Konto.

    """,
    "account.sign-up-attempted": """
    Subject: Ihre Adresse wurde bei {{service}} eingegeben

    Am {{time}} wurde {{address}} bei {{domain}} für ein neues Konto oder als neue Adresse eines anderen Kontos \
    eingegeben. Die Adresse hat schon ein Konto, deshalb hat sich nichts geändert.

    Wenn Sie das waren, melden Sie sich mit Ihrem Passkey an. Sonst können Sie diese E-Mail ignorieren.

    """,
    "account.recovery-cancelled": """
    Subject: Die Wiederherstellung Ihres Kontos bei {{service}} wurde abgebrochen

    Die Wiederherstellung Ihres Kontos bei {{service}} wurde am {{time}} abgebrochen. Der Code der früheren E-Mail \
    gilt nicht mehr.

    Wenn Sie das nicht waren, fordern Sie bei {{domain}} eine neue Wiederherstellung an.

    """,
    "account.recovered": """
    Subject: Ihr Konto bei {{service}} wurde wiederhergestellt

    Am {{time}} wurde ein Code für die Wiederherstellung verwendet, und Ihr Konto bei {{service}} hat einen neuen \
    Passkey. Alle Sitzungen sind beendet.

    Wenn Sie das nicht waren, wenden Sie sich sofort an den Dienst.

    """,
    "account.approved": """
    Subject: Ihr Konto bei {{service}} wurde freigegeben

    Ihr Konto bei {{service}} wurde am {{time}} freigegeben. Sie können sich jetzt bei {{domain}} anmelden.

    """,
    "account.rejected": """
    Subject: Ihr Konto bei {{service}} wurde nicht freigegeben

    Ihr Antrag auf ein Konto bei {{service}} wurde am {{time}} abgelehnt. Wenden Sie sich bei Fragen an den Dienst.

    """,
    "account.disabled": """
    Subject: Ihr Konto bei {{service}} wurde gesperrt

    Am {{time}} wurde Ihr Konto bei {{service}} von der Verwaltung gesperrt. Sie können sich nicht anmelden, bis es \
    wieder freigegeben wird.

    """,
    "account.enabled": """
    Subject: Ihr Konto bei {{service}} ist nicht mehr gesperrt

    Am {{time}} hat die Verwaltung die Sperre Ihres Kontos bei {{service}} aufgehoben. Sie können sich wieder bei \
    {{domain}} anmelden.

    """,
    "credential.registered": """
    Subject: Ein neuer Passkey für Ihr Konto bei {{service}}

    Am {{time}} wurde Ihrem Konto bei {{service}} ein Passkey hinzugefügt.

    Wenn Sie das nicht waren, melden Sie sich bei {{domain}} an, entfernen Sie den Passkey und beenden Sie alle \
    Sitzungen.

    """,
    "credential.deleted": """
    Subject: Ein Passkey Ihres Kontos bei {{service}} wurde entfernt

    Am {{time}} wurde ein Passkey Ihres Kontos bei {{service}} entfernt.

    Wenn Sie das nicht waren, melden Sie sich bei {{domain}} an und prüfen Sie Ihre Passkeys und Sitzungen.

    """,
    "session.new-client": """
    Subject: Neue Anmeldung bei Ihrem Konto bei {{service}}

    Am {{time}} wurde Ihr Konto bei {{service}} für eine Anmeldung verwendet, zum ersten Mal mit diesem Passkey oder \
    von diesem Ort.

    Wenn Sie das nicht waren, melden Sie sich bei {{domain}} an, beenden Sie alle Sitzungen und prüfen Sie Ihre \
    Passkeys.

    """,
    "session.opened": """
    Subject: Anmeldung bei Ihrem Konto bei {{service}}

    Am {{time}} wurde Ihr Konto bei {{service}} für eine Anmeldung verwendet.

    Wenn Sie das nicht waren, melden Sie sich bei {{domain}} an, beenden Sie alle Sitzungen und prüfen Sie Ihre \
    Passkeys.

    """,
    "session.reused": """
    Subject: Sie wurden bei {{service}} abgemeldet

    Am {{time}} wurde ein Anmeldetoken Ihres Kontos bei {{service}} zweimal verwendet. Vielleicht wurde es kopiert, \
    deshalb ist seine Sitzung beendet.

    Melden Sie sich wieder bei {{domain}} an und prüfen Sie Ihre Passkeys und Sitzungen.

    """,
    "security.alert": """
    Subject: Sicherheitswarnung für Ihr Konto bei {{service}}

    Am {{time}} ist etwas Ungewöhnliches mit Ihrem Konto bei {{service}} geschehen.

    Melden Sie sich bei {{domain}} an und prüfen Sie Ihre Passkeys und Sitzungen.

    """,
  ]
}
