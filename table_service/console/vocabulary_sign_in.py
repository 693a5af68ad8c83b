"""Words of signing in by an OpenID provider, in Italian and English."""

from __future__ import annotations

from typing import Final

SIGN_IN: Final[dict[str, tuple[str, str]]] = {
    "openid_enter": ("Entra con {name}", "Sign in with {name}"),
    "openid_title": ("Entrare con {name}", "Signing in with {name}"),
    "openid_link": ("Collega", "Link"),
    "openid_link_text": (
        "Collega il tuo account di {name}: poi entri anche con quello. Scrivi la password che hai qui.",
        "Link your account of {name}: then you sign in with it, too. Write the password that you have here.",
    ),
    "openid_go": ("Vai a {name}", "Go to {name}"),
    "openid_go_text": (
        "La password è giusta. Ora {name} ti chiede chi sei, e poi torni qui.",
        "The password is right. Now {name} asks who you are, and then you are back here.",
    ),
    "openid_linked": (
        "Il tuo account di {name} è collegato: puoi entrare con quello o con la password.",
        "Your account of {name} is linked: sign in with it or with your password.",
    ),
    "openid_unlink": ("Scollega", "Unlink"),
    "openid_unlink_text": (
        "Scollegando esci da ogni apparecchio, e poi entri con la password.",
        "If you unlink it you are signed out on every device, and sign in with your password.",
    ),
    "openid_no_password": (
        "Qui non hai ancora una password: chiedi a chi dirige un link per sceglierla, o di collegarti.",
        "You have no password here yet: ask whoever runs the hall for a link to choose one, or to link you.",
    ),
    "openid_wrong_password": ("La password non è giusta.", "The password is wrong."),
    "openid_away": (
        "Il servizio di accesso non risponde: entra con nome e password, o riprova fra poco.",
        "The sign-in service does not answer: use name and password, or try again shortly.",
    ),
    "openid_denied": (
        "L’accesso è stato annullato presso il servizio: riprova, o usa nome e password.",
        "The sign-in was cancelled at the service: try again, or use name and password.",
    ),
    "openid_refused": (
        "La risposta del servizio di accesso non è valida: riprova, e se succede ancora avvisa chi dirige.",
        "The sign-in service’s answer is not valid: try again, and if it happens again tell whoever runs the hall.",
    ),
    "openid_stale": (
        "Questo accesso è scaduto, o è cominciato in un altro browser: ricomincia da qui.",
        "This sign-in has expired, or was begun in another browser: begin again here.",
    ),
    "openid_not_anew": (
        "Il servizio di accesso non ti ha chiesto di nuovo chi sei: esci da lì e riprova.",
        "The sign-in service did not ask you again who you are: sign out there and try again.",
    ),
    "openid_unknown": (
        "Con questo account qui non entra nessuno: chiedi a chi dirige di collegarti, o usa nome e password.",
        "Nobody signs in here with this account: ask whoever runs the hall to link you, or use name and password.",
    ),
    "openid_waits": (
        "Chi dirige non ti ha ancora collegato a una persona: la richiesta è arrivata, riprova più tardi.",
        "Whoever runs the hall has not linked you to a person yet: the request has arrived, try again later.",
    ),
    "openid_taken": (
        "L’account è già di un’altra persona, o tu ne hai già un altro: scollegalo prima.",
        "The account is another person’s already, or you have another one: unlink that first.",
    ),
    "openid_too_many": ("Troppi tentativi: riprova tra un minuto.", "Too many attempts: try again in a minute."),
    "openid_address": (
        "Per entrare così apri la console al suo indirizzo: {address}",
        "To sign in this way open the console at its own address: {address}",
    ),
    "way_openid": ("servizio di accesso", "sign-in service"),
    "openid_waiting": ("Attendono di essere collegati", "Waiting to be linked"),
    "openid_waiting_text": (
        "Sono entrati nel servizio di accesso e qui non sono ancora nessuno. Chiedi di persona prima di collegarli.",
        "They signed in at the sign-in service and are nobody here yet. Ask them in person before you link them.",
    ),
    "openid_no_name": ("senza nome", "without a name"),
    "openid_is": ("È", "Is"),
    "openid_new": ("È nuovo: aggiungi come", "Is new: add as"),
    "openid_subject": ("Identificativo nel servizio", "Identifier at the service"),
    "openid_by_hand": ("Collega a un identificativo", "Link to an identifier"),
    "openid_has": ("collegato a {name}", "linked to {name}"),
    "deed_openid linked": (
        "collega il suo account del servizio di accesso",
        "links his account of the sign-in service",
    ),
    "deed_openid unlinked": (
        "scollega il suo account del servizio di accesso",
        "unlinks his account of the sign-in service",
    ),
    "deed_person link": ("collega una persona al servizio di accesso", "links a person to the sign-in service"),
    "deed_person unlink": ("scollega una persona dal servizio di accesso", "unlinks a person from the sign-in service"),
    "deed_person forget": ("toglie chi attendeva di essere collegato", "removes somebody who waited to be linked"),
}
