"""The words of being told outside the hall, and of other halls. Italian first, English second."""

from __future__ import annotations

from typing import Final

REMOTE: Final[dict[str, tuple[str, str]]] = {
    "away": ("Fuori sala", "Outside the hall"),
    "away_text": (
        "Quando non sei in sala la console ti avvisa: tavolo, voce del codice e gravità, mai una carta o un nome.",
        "When you are not in the hall the console tells you table, row and severity, never a card or a name.",
    ),
    "away_text_names": (
        "Quando non sei in sala la console ti avvisa: tavolo, voce del codice, gravità e coppia, mai una carta.",
        "When you are not in the hall the console tells you: table, row of the code, severity and pair, never a card.",
    ),
    "away_none": (
        "In questa sala nessuna via verso l’esterno è aperta: lo decide «[remote]» in hall.toml.",
        "In this hall no way out is open: '[remote]' in hall.toml decides that.",
    ),
    "away_ways": ("Per quale via", "By which way"),
    "kind_push": ("notifica del browser", "browser notification"),
    "kind_mail": ("e-mail", "e-mail"),
    "kind_mqtt": ("MQTT", "MQTT"),
    "away_topic": ("Il tuo programma ascolta qui:", "Your program listens here:"),
    "away_severities": ("Di che cosa", "Of what"),
    "severity_call": ("chiamata", "call"),
    "away_quiet": ("Ore di silenzio", "Quiet hours"),
    "away_quiet_from": ("dalle", "from"),
    "away_quiet_to": ("alle", "to"),
    "away_mail": ("Indirizzo e-mail", "E-mail address"),
    "keep": ("Salva", "Save"),
    "away_saved": ("Salvato.", "Saved."),
    "away_until": (
        "Vale fino al {day}: poi entra e salva di nuovo.",
        "Holds until {day}: then sign in and save again.",
    ),
    "away_lapsed": ("Non vale più: salva di nuovo.", "It holds no more: save again."),
    "away_devices": ("Apparecchi che ricevono notifiche", "Devices that take notifications"),
    "away_no_devices": ("Ancora nessuno.", "None yet."),
    "away_allow": ("Ricevi notifiche su questo apparecchio", "Take notifications on this device"),
    "remove": ("Togli", "Remove"),
    "away_unable": (
        "Questo browser non riceve notifiche qui: serve HTTPS, e sull’iPhone la console aggiunta alla schermata Home.",
        "This browser takes no notifications here: it needs HTTPS, and on an iPhone the console on the home screen.",
    ),
    "away_denied": (
        "Il browser ha rifiutato: permetti le notifiche per questo sito e riprova.",
        "The browser has refused: allow notifications for this site and try again.",
    ),
    "away_test": ("Mandami una prova", "Send me a test"),
    "away_test_sent": (
        "La prova è partita: l’esito appare qui sotto.",
        "The test has left: what became of it appears below.",
    ),
    "away_test_soon": ("Aspetta qualche secondo fra due prove.", "Wait some seconds between two tests."),
    "away_test_text": ("Prova: gli avvisi ti raggiungono.", "Test: alerts reach you."),
    "away_history": ("Che cosa è partito", "What has left"),
    "away_ok": ("consegnato", "handed over"),
    "away_failed": ("non partito", "did not leave"),
    "away_alerts_n": ("avvisi", "alerts"),
    "away_bad_mail": ("L’indirizzo e-mail non è valido.", "The e-mail address is not valid."),
    "away_bad_hour": ("Scrivi le ore come 23:00, tutte e due o nessuna.", "Write hours as 23:00, both or none."),
    "away_bad_device": (
        "Il browser ha dato un indirizzo che la console non usa.",
        "The browser gave an address that the console does not use.",
    ),
    "away_no_browser": ("nessun browser di questa persona riceve notifiche", "no browser of this person takes pushes"),
    "away_push_foreign": (
        "il servizio di notifiche {where} non è fra quelli a cui la sala spedisce",
        "the push service {where} is none that this hall sends to",
    ),
    "away_push_gone": (
        "il browser non riceve più notifiche: permettile di nuovo su quell’apparecchio",
        "the browser takes no pushes any more: allow them again on that device",
    ),
    "away_answered": ("{where} ha risposto {status}", "{where} answered {status}"),
    "away_unreached": ("{where} non è raggiungibile: {why}", "{where} is not reached: {why}"),
    "away_no_mail": ("manca l’indirizzo e-mail", "no e-mail address is set"),
    "away_no_broker": ("il broker non è raggiungibile", "the broker is not reached"),
    "away_mail_login": (
        "il server di posta {where} rifiuta nome e password",
        "the mail server {where} refuses name and password",
    ),
    "away_mail_offer": (
        "il server di posta {where} non offre ciò che è configurato (TLS, o l’accesso)",
        "the mail server {where} does not offer what is configured (TLS, or signing in)",
    ),
    "away_mail_refused": (
        "il server di posta {where} rifiuta l’indirizzo ({status})",
        "the mail server {where} refuses the address ({status})",
    ),
    "away_mail_certificate": (
        "il certificato del server di posta {where} non è attendibile",
        "the certificate of the mail server {where} is not believed",
    ),
    "away_call": ("Chiamata dell’arbitro", "Call for the arbitro"),
    "away_alert": ("Irregolarità", "Irregularity"),
    "away_raised": ("nessuno l’ha presa in mano", "nobody has taken it"),
    "away_second": ("si chiede un secondo arbitro", "a second arbitro is wanted"),
    "away_more": ("e altri {n}", "and {n} more"),
    "away_several": ("{n} avvisi", "{n} alerts"),
    "away_mail_head": (
        "Nella sala {hall} qualcosa attende l’arbitro:",
        "In the hall {hall} something waits for the arbitro:",
    ),
    "away_mail_foot": ("Quali avvisi ricevi lo scegli qui: {where}", "Which alerts you get you choose here: {where}"),
    "deed_away saved": ("cambia i suoi avvisi fuori sala", "changes what reaches him outside the hall"),
    "deed_away device": ("riceve notifiche su un apparecchio", "takes notifications on a device"),
    "deed_away device dropped": (
        "non riceve più notifiche su un apparecchio",
        "takes no notifications on a device any more",
    ),
    "deed_away test": ("si manda una prova", "sends himself a test"),
    "deed_told away": ("avvisato fuori sala", "told outside the hall"),
    "deed_not told away": ("avviso fuori sala non partito", "notice outside the hall did not leave"),
    # for Home Assistant
    "home_there": ("Tavolo in linea", "Table on line"),
    "home_waits": ("L’arbitro è atteso", "The arbitro is wanted"),
    "home_waiting": ("Avvisi in attesa", "Alerts that wait"),
    # other halls
    "halls": ("Le sale", "The halls"),
    "halls_text": (
        "Ciò che attende in questa sala e nelle altre; ogni avviso si apre nella console della sua sala.",
        "What waits in this hall and in the others; each alert opens in its own hall’s console.",
    ),
    "halls_none": ("Nessun’altra sala è configurata.", "No other hall is configured."),
    "halls_this": ("questa sala", "this hall"),
    "halls_calm": ("Nulla attende.", "Nothing waits."),
    "halls_age": ("visto", "seen"),
    "halls_ago": ("fa", "ago"),
    "halls_never": ("mai raggiunta", "never reached"),
    "halls_cut": ("Non raggiungibile: ciò che vedi è vecchio.", "Out of reach: what you see is old."),
    "halls_slow": ("Risponde lentamente ({seconds} s).", "Answers slowly ({seconds} s)."),
    "halls_broker": ("Quella console non raggiunge il suo broker.", "That console does not reach its broker."),
    "halls_lost": ("Tavoli non raggiungibili: {n}", "Tables out of reach: {n}"),
    "halls_tables": ("tavoli", "tables"),
    "halls_open": ("Apri la console", "Open its console"),
}
