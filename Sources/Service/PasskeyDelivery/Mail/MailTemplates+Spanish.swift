// SPDX-License-Identifier: Apache-2.0

extension MailTemplates {
  /// The sources of the embedded templates, in Spanish.
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
    "email.change-requested": """
    Subject: Su dirección de correo en {{service}} va a cambiar

    Se ha pedido otra dirección de correo para su cuenta de {{service}} ({{time}}). Reemplazará a esta cuando se \
    confirme la dirección nueva.

    Si no ha sido usted, inicie sesión en {{domain}}, cierre todas las sesiones y revise sus llaves de acceso.

    """,
    "email.changed": """
    Subject: Su dirección de correo en {{service}} ha cambiado

    Desde {{time}}, {{address}} es la dirección de correo de su cuenta de {{service}}. Los correos sobre la cuenta se \
    envían a esta dirección.

    Si no ha sido usted, inicie sesión en {{domain}}, cierre todas las sesiones y revise sus llaves de acceso.

    """,
    "email.replaced": """
    Subject: Su dirección de correo en {{service}} se ha reemplazado

    Desde {{time}}, su cuenta de {{service}} tiene otra dirección de correo. Los correos sobre la cuenta ya no se \
    envían a {{address}}.

    Si no ha sido usted, póngase en contacto con el servicio de inmediato: es posible que otra persona tenga acceso a \
    su cuenta.

    """,
    "account.sign-up-attempted": """
    Subject: Su dirección se ha introducido en {{service}}

    Se ha introducido {{address}} en {{domain}} ({{time}}) para una cuenta nueva, o como dirección nueva de otra \
    cuenta. La dirección ya tiene una cuenta, así que no ha cambiado nada.

    Si ha sido usted, inicie sesión con su llave de acceso. Si no, puede ignorar este correo.

    """,
    "account.recovery-cancelled": """
    Subject: La recuperación de su cuenta de {{service}} se ha cancelado

    La recuperación de su cuenta de {{service}} se ha cancelado ({{time}}). El código del correo anterior ya no \
    sirve.

    Si no ha sido usted, pida otra recuperación en {{domain}}.

    """,
    "account.recovered": """
    Subject: Su cuenta de {{service}} se ha recuperado

    Se ha usado un código de recuperación ({{time}}), y su cuenta de {{service}} tiene una llave de acceso nueva. \
    Todas las sesiones se han cerrado.

    Si no ha sido usted, póngase en contacto con el servicio de inmediato.

    """,
    "account.approved": """
    Subject: Su cuenta de {{service}} se ha aprobado

    Su cuenta de {{service}} se ha aprobado ({{time}}). Ya puede iniciar sesión en {{domain}}.

    """,
    "account.rejected": """
    Subject: Su cuenta de {{service}} no se ha aprobado

    Su solicitud de una cuenta de {{service}} se ha rechazado ({{time}}). Póngase en contacto con el servicio si \
    tiene preguntas.

    """,
    "account.disabled": """
    Subject: Su cuenta de {{service}} se ha desactivado

    La administración ha desactivado su cuenta de {{service}} ({{time}}). No puede iniciar sesión hasta que se active \
    de nuevo.

    """,
    "account.enabled": """
    Subject: Su cuenta de {{service}} se ha activado de nuevo

    La administración ha activado de nuevo su cuenta de {{service}} ({{time}}). Ya puede volver a iniciar sesión en \
    {{domain}}.

    """,
    "credential.registered": """
    Subject: Una llave de acceso nueva para su cuenta de {{service}}

    Se ha añadido una llave de acceso a su cuenta de {{service}} ({{time}}).

    Si no ha sido usted, inicie sesión en {{domain}}, elimine la llave de acceso y cierre todas las sesiones.

    """,
    "credential.deleted": """
    Subject: Se ha eliminado una llave de acceso de su cuenta de {{service}}

    Se ha eliminado una llave de acceso de su cuenta de {{service}} ({{time}}).

    Si no ha sido usted, inicie sesión en {{domain}} y revise sus llaves de acceso y sus sesiones.

    """,
    "session.new-client": """
    Subject: Inicio de sesión nuevo en su cuenta de {{service}}

    Se ha iniciado sesión en su cuenta de {{service}} ({{time}}), por primera vez con esta llave de acceso o desde \
    este lugar.

    Si no ha sido usted, inicie sesión en {{domain}}, cierre todas las sesiones y revise sus llaves de acceso.

    """,
    "session.opened": """
    Subject: Inicio de sesión en su cuenta de {{service}}

    Se ha iniciado sesión en su cuenta de {{service}} ({{time}}).

    Si no ha sido usted, inicie sesión en {{domain}}, cierre todas las sesiones y revise sus llaves de acceso.

    """,
    "session.reused": """
    Subject: Se ha cerrado su sesión en {{service}}

    Una credencial de sesión de su cuenta de {{service}} se ha usado dos veces ({{time}}). Es posible que se haya \
    copiado, así que su sesión se ha cerrado.

    Inicie sesión de nuevo en {{domain}}, y revise sus llaves de acceso y sus sesiones.

    """,
    "security.alert": """
    Subject: Alerta de seguridad de su cuenta de {{service}}

    Ha ocurrido algo inusual con su cuenta de {{service}} ({{time}}).

    Inicie sesión en {{domain}}, y revise sus llaves de acceso y sus sesiones.

    """,
  ]
}
