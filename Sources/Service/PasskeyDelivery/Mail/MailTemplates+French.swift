// SPDX-License-Identifier: Apache-2.0

extension MailTemplates {
  /// The sources of the embedded templates of mails with codes, in French.
  static let french: [String: String] = [
    "email.verification-requested": """
    Subject: Confirmez votre adresse e-mail pour {{service}}

    Saisissez ce code pour confirmer que {{address}} est votre adresse e-mail :

    {{code}}

    Dans le navigateur où vous avez commencé, cette page a déjà le code : {{link}}

    Le code fonctionne une fois, jusqu’au {{expiry}}. Si vous ne l’avez pas demandé, ignorez cet e-mail : sans le code, aucun \
    compte de {{domain}} ne peut utiliser l’adresse. Ne donnez jamais le code à une autre personne.

    """,
    "account.invited": """
    Subject: Votre invitation à {{service}}

    Vous êtes invité à créer un compte {{service}} avec l’adresse {{address}}. Il vous faut ce code :

    {{code}}

    Cette page a déjà le code : {{link}}

    Le code fonctionne une fois, jusqu’au {{expiry}}. Ne le donnez jamais à une autre personne. Si vous ne voulez pas de compte \
    sur {{domain}}, ignorez cet e-mail.

    """,
    "account.recovery-requested": """
    Subject: Récupérez votre compte {{service}}

    La récupération de votre compte {{service}} a été demandée le {{time}}. Avec ce code, vous pouvez créer une nouvelle clé \
    d’accès :

    {{code}}

    Cette page a déjà le code : {{link}}

    Le code fonctionne une fois, du {{start}} au {{expiry}}. Ne le donnez jamais à une autre personne.

    Si vous ne l’avez pas demandé, annulez la récupération avant le {{start}} : connectez-vous sur {{domain}}, ou saisissez ce code \
    là où le service demande un code d’annulation :

    {{cancellation}}

    Cette page a déjà le code d’annulation : {{cancellation-link}}

    """,
  ]
}
