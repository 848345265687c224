// SPDX-License-Identifier: Apache-2.0

extension MailTemplates {
  /// The sources of the embedded templates.
  static let embedded: [String: String] = [
    "email.verification-requested": """
    Subject: Confirm your email address for {{service}}

    Enter this code to confirm that {{address}} is your email address:

    {{code}}

    In the browser in which you began, this page has the code already: {{link}}

    The code works once, until {{expiry}}. If you did not ask for it, ignore this mail: without the code, the address cannot \
    be used for an account at {{domain}}. Never give the code to another person.

    """,
    "account.invited": """
    Subject: Your invitation to {{service}}

    You are invited to create an account at {{service}} with the address {{address}}. You need this code:

    {{code}}

    This page has the code already: {{link}}

    The code works once, until {{expiry}}. Never give it to another person. If you do not want an account at \
    {{domain}}, ignore this mail.

    """,
    "email.change-requested": """
    Subject: Your email address at {{service}} is about to change

    Another email address was requested for your {{service}} account at {{time}}. It replaces this one when the new address \
    is confirmed.

    If it was not you, sign in at {{domain}}, end all sessions and check your passkeys.

    """,
    "email.changed": """
    Subject: Your email address at {{service}} has changed

    Since {{time}}, {{address}} is the email address of your {{service}} account. Mail about the account goes to this address.

    If it was not you, sign in at {{domain}}, end all sessions and check your passkeys.

    """,
    "email.replaced": """
    Subject: Your email address at {{service}} was replaced

    Since {{time}}, your {{service}} account has another email address. Mail about the account no longer goes to {{address}}.

    If it was not you, contact the service now: another person may have access to your account.

    """,
    "account.sign-up-attempted": """
    Subject: Your address was entered at {{service}}

    At {{time}}, {{address}} was entered at {{domain}} for a new account, or as the new address of another account. The address \
    has an account already, so nothing was changed.

    If it was you, sign in with your passkey. If not, you can ignore this mail.

    """,
    "account.recovery-requested": """
    Subject: Recover your account at {{service}}

    A recovery of your {{service}} account was requested at {{time}}. With this code you can create a new passkey:

    {{code}}

    This page has the code already: {{link}}

    The code works once, from {{start}} until {{expiry}}. Never give it to another person.

    If you did not ask for it, cancel the recovery before {{start}}: sign in at {{domain}}, or enter this code where the \
    service asks for a cancellation code:

    {{cancellation}}

    This page has the cancellation code already: {{cancellation-link}}

    """,
    "account.recovery-cancelled": """
    Subject: The recovery of your account at {{service}} was cancelled

    The recovery of your {{service}} account was cancelled at {{time}}. The code of the earlier mail no longer works.

    If it was not you, ask for another recovery at {{domain}}.

    """,
    "account.recovered": """
    Subject: Your account at {{service}} was recovered

    A recovery code was used at {{time}}, and your {{service}} account has a new passkey. All sessions have ended.

    If it was not you, contact the service now.

    """,
    "account.approved": """
    Subject: Your account at {{service}} was approved

    Your {{service}} account was approved at {{time}}. You can sign in at {{domain}} now.

    """,
    "account.rejected": """
    Subject: Your account at {{service}} was not approved

    Your request for a {{service}} account was declined at {{time}}. Contact the service if you have questions.

    """,
    "account.disabled": """
    Subject: Your account at {{service}} was disabled

    An administrator disabled your {{service}} account at {{time}}. You cannot sign in until it is enabled again.

    """,
    "account.enabled": """
    Subject: Your account at {{service}} was enabled

    An administrator enabled your {{service}} account at {{time}}. You can sign in at {{domain}} again.

    """,
    "credential.registered": """
    Subject: A new passkey for your account at {{service}}

    A passkey was added to your {{service}} account at {{time}}.

    If it was not you, sign in at {{domain}}, remove the passkey and end all sessions.

    """,
    "credential.deleted": """
    Subject: A passkey of your account at {{service}} was removed

    A passkey was removed from your {{service}} account at {{time}}.

    If it was not you, sign in at {{domain}} and check your passkeys and sessions.

    """,
    "session.new-client": """
    Subject: New sign-in to your account at {{service}}

    Your {{service}} account was used to sign in at {{time}}, for the first time with this passkey or from this place.

    If it was not you, sign in at {{domain}}, end all sessions and check your passkeys.

    """,
    "session.opened": """
    Subject: Sign-in to your account at {{service}}

    Your {{service}} account was used to sign in at {{time}}.

    If it was not you, sign in at {{domain}}, end all sessions and check your passkeys.

    """,
    "session.reused": """
    Subject: You were signed out of {{service}}

    A sign-in token of your {{service}} account was used twice at {{time}}. It may have been copied, so its session has ended.

    Sign in again at {{domain}}, and check your passkeys and sessions.

    """,
    "security.alert": """
    Subject: Security alert for your account at {{service}}

    Something unusual happened with your {{service}} account at {{time}}.

    Sign in at {{domain}}, and check your passkeys and sessions.

    """,
    test: """
    Subject: Test mail of {{service}}

    This mail shows that the sign-in service of {{domain}} can send mail to {{address}}. It was sent at {{time}}.

    """,
  ]
}
