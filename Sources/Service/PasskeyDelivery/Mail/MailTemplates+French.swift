// SPDX-License-Identifier: Apache-2.0

extension MailTemplates {
  /// The sources of the embedded templates, in French.
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
    "email.change-requested": """
    Subject: Votre adresse e-mail chez {{service}} va changer

    Une autre adresse e-mail a été demandée pour votre compte {{service}} le {{time}}. Elle remplacera celle-ci quand \
    la nouvelle adresse sera confirmée.

    Si ce n’était pas vous, connectez-vous sur {{domain}}, fermez toutes les sessions et vérifiez vos clés d’accès.

    """,
    "email.changed": """
    Subject: Votre adresse e-mail chez {{service}} a changé

    Depuis le {{time}}, {{address}} est l’adresse e-mail de votre compte {{service}}. Les e-mails sur le compte sont \
    envoyés à cette adresse.

    Si ce n’était pas vous, connectez-vous sur {{domain}}, fermez toutes les sessions et vérifiez vos clés d’accès.

    """,
    "email.replaced": """
    Subject: Votre adresse e-mail chez {{service}} a été remplacée

    Depuis le {{time}}, votre compte {{service}} a une autre adresse e-mail. Les e-mails sur le compte ne sont plus \
    envoyés à {{address}}.

    Si ce n’était pas vous, contactez le service immédiatement : une autre personne a peut-être accès à votre compte.

    """,
    "account.sign-up-attempted": """
    Subject: Votre adresse a été saisie chez {{service}}

    Le {{time}}, {{address}} a été saisie sur {{domain}} pour un nouveau compte, ou comme nouvelle adresse d’un autre \
    compte. L’adresse a déjà un compte, donc rien n’a changé.

    Si c’était vous, connectez-vous avec votre clé d’accès. Sinon, vous pouvez ignorer cet e-mail.

    """,
    "account.recovery-cancelled": """
    Subject: La récupération de votre compte {{service}} a été annulée

    La récupération de votre compte {{service}} a été annulée le {{time}}. Le code de l’e-mail précédent ne \
    fonctionne plus.

    Si ce n’était pas vous, demandez une autre récupération sur {{domain}}.

    """,
    "account.recovered": """
    Subject: Votre compte {{service}} a été récupéré

    Un code de récupération a été utilisé le {{time}}, et votre compte {{service}} a une nouvelle clé d’accès. Toutes \
    les sessions sont fermées.

    Si ce n’était pas vous, contactez le service immédiatement.

    """,
    "account.approved": """
    Subject: Votre compte {{service}} a été approuvé

    Votre compte {{service}} a été approuvé le {{time}}. Vous pouvez maintenant vous connecter sur {{domain}}.

    """,
    "account.rejected": """
    Subject: Votre compte {{service}} n’a pas été approuvé

    Votre demande de compte {{service}} a été refusée le {{time}}. Contactez le service si vous avez des questions.

    """,
    "account.disabled": """
    Subject: Votre compte {{service}} a été désactivé

    L’administration a désactivé votre compte {{service}} le {{time}}. Vous ne pouvez pas vous connecter tant qu’il \
    n’est pas réactivé.

    """,
    "account.enabled": """
    Subject: Votre compte {{service}} a été réactivé

    L’administration a réactivé votre compte {{service}} le {{time}}. Vous pouvez de nouveau vous connecter sur \
    {{domain}}.

    """,
    "credential.registered": """
    Subject: Une nouvelle clé d’accès pour votre compte {{service}}

    Une clé d’accès a été ajoutée à votre compte {{service}} le {{time}}.

    Si ce n’était pas vous, connectez-vous sur {{domain}}, supprimez la clé d’accès et fermez toutes les sessions.

    """,
    "credential.deleted": """
    Subject: Une clé d’accès de votre compte {{service}} a été supprimée

    Une clé d’accès de votre compte {{service}} a été supprimée le {{time}}.

    Si ce n’était pas vous, connectez-vous sur {{domain}} et vérifiez vos clés d’accès et vos sessions.

    """,
    "session.new-client": """
    Subject: Nouvelle connexion à votre compte {{service}}

    Votre compte {{service}} a été utilisé pour une connexion le {{time}}, pour la première fois avec cette clé \
    d’accès ou depuis cet endroit.

    Si ce n’était pas vous, connectez-vous sur {{domain}}, fermez toutes les sessions et vérifiez vos clés d’accès.

    """,
    "session.opened": """
    Subject: Connexion à votre compte {{service}}

    Votre compte {{service}} a été utilisé pour une connexion le {{time}}.

    Si ce n’était pas vous, connectez-vous sur {{domain}}, fermez toutes les sessions et vérifiez vos clés d’accès.

    """,
    "session.reused": """
    Subject: Vous avez été déconnecté de {{service}}

    Un jeton de connexion de votre compte {{service}} a été utilisé deux fois le {{time}}. Il a peut-être été copié, \
    donc sa session est fermée.

    Connectez-vous de nouveau sur {{domain}}, et vérifiez vos clés d’accès et vos sessions.

    """,
    "security.alert": """
    Subject: Alerte de sécurité pour votre compte {{service}}

    Quelque chose d’inhabituel s’est produit avec votre compte {{service}} le {{time}}.

    Connectez-vous sur {{domain}}, et vérifiez vos clés d’accès et vos sessions.

    """,
  ]
}
