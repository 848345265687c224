// SPDX-License-Identifier: Apache-2.0

extension MailTemplates {
  /// The sources of the embedded templates of mails with codes, in Spanish.
  static let spanish: [String: String] = [
    "email.verification-requested": """
    Subject: Confirme su dirección de correo para {{service}}

    Introduzca este código para confirmar que {{address}} es su dirección de correo:

    {{code}}

    En el navegador en el que empezó, esta página ya tiene el código: {{link}}

    El código sirve una vez, hasta {{expiry}}. Si no lo ha pedido, ignore este correo: sin el código, ninguna cuenta de \
    {{domain}} puede usar la dirección. No dé nunca el código a otra persona.

    """,
    "account.invited": """
    Subject: Su invitación a {{service}}

    Está invitado a crear una cuenta de {{service}} con la dirección {{address}}. Necesita este código:

    {{code}}

    Esta página ya tiene el código: {{link}}

    El código sirve una vez, hasta {{expiry}}. No lo dé nunca a otra persona. Si no quiere una cuenta en {{domain}}, ignore este \
    correo.

    """,
    "account.recovery-requested": """
    Subject: Recupere su cuenta de {{service}}

    La recuperación de su cuenta de {{service}} se pidió en este momento: {{time}}. Con este código puede crear una nueva llave de \
    acceso:

    {{code}}

    Esta página ya tiene el código: {{link}}

    El código sirve una vez, desde {{start}} hasta {{expiry}}. No lo dé nunca a otra persona.

    Si no la ha pedido, cancele la recuperación antes de {{start}}: inicie sesión en {{domain}}, o introduzca este código donde el \
    servicio pide un código de cancelación:

    {{cancellation}}

    Esta página ya tiene el código de cancelación: {{cancellation-link}}

    """,
  ]
}
