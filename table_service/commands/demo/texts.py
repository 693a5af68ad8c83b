"""Texts of the demo, Italian and English."""

from __future__ import annotations

from typing import Final, Literal

Language = Literal["it", "en"]
TEXTS: Final[dict[str, tuple[str, str]]] = {
    "micropython": ("preparo MicroPython per il nodo", "preparing MicroPython for the node"),
    "broker": ("avvio il broker MQTT", "starting the MQTT broker"),
    "table": ("apparecchio il tavolo", "setting the table"),
    "display": ("lo schermo dei giocatori è qui: {url}", "the players' screen is here: {url}"),
    "page": ("la pagina dell'arbitro è qui: {url}", "the arbitro's page is here: {url}"),
    "tables": ("apparecchio gli altri tavoli della sala", "setting the hall's other tables"),
    "door": (
        "apri questa pagina: l'arbitro sei tu: {url}",
        "open this page: you are the arbitro: {url}",
    ),
    "look": (
        "aspetto che tu apra la pagina: tra poco c'è un'irregolarità",
        "waiting for you to open the page: an irregularity is about to happen",
    ),
    "decide": ("il gioco si ferma: decidi tu, sulla pagina", "play stops: you decide, on the page"),
    "goes-on": ("il gioco riprende con la tua decisione", "play goes on with your ruling"),
    "playing": ("si gioca", "playing"),
    "remains": ("mancano circa {seconds} s", "about {seconds} s left"),
    "interrupt": ("la pagina resta aperta su {url}; Ctrl-C per finire", "the page stays at {url}; Ctrl-C ends"),
    "turns": ("Il gioco, come l'ha visto il tavolo", "The play, as the table saw it"),
    "draws": ("pesca", "draws"),
    "collects": ("raccoglie {cards}", "collects {cards}"),
    "opens": ("apre {cards}", "opens {cards}"),
    "extends": ("lega {cards}", "adds {cards}"),
    "discards": ("scarta {cards}", "discards {cards}"),
    "pot": ("pozzo {manner}", "pot {manner}"),
    "in-flight": ("in diretta", "in flight"),
    "discard": ("con lo scarto", "with the discard"),
    "ended": ("Fine: {manner}", "End: {manner}"),
    "alerts": ("Segnalazioni", "Alerts"),
    "none": ("nessuna", "none"),
    "injected": ("errori messi in scena", "faults that were staged"),
    "sheet": (
        "Segnapunti, smazzata {n} (letto dalla camera / dal registro del gioco / vale)",
        "Score sheet, deal {n} (by the camera / by the ledger of play / counts)",
    ),
    "doubt": ("da controllare: {items}", "to be checked: {items}"),
    "difference": (
        "    {line} {item}: la camera dice {camera}, il registro {ledger}{cards}",
        "    {line} {item}: the camera says {camera}, the ledger {ledger}{cards}",
    ),
    "truth": ("  giocato davvero: {totals} – {answer}", "  really played: {totals} – {answer}"),
    "same": ("uguale", "the same"),
    "other": ("DIVERSO", "DIFFERENT"),
    "ruled": ("diverso: contano le tue decisioni", "different: your rulings count"),
    "open": ("resta da controllare", "left to be checked"),
    "running": ("progressivo", "running"),
    "result": (
        "Risultato del turno: match points {mp}, victory points {vp}",
        "Result of the round: match points {mp}, victory points {vp}",
    ),
    "result_mp": ("Risultato del turno: match points {mp}", "Result of the round: match points {mp}"),
    "unknown": ("non noti", "not known"),
    "deal": ("Smazzata {n}", "Deal {n}"),
    "events": (
        "Eventi: {made} pubblicati, {acknowledged} confermati dal broker, {waiting} in attesa",
        "Events: {made} published, {acknowledged} acknowledged by the broker, {waiting} waiting",
    ),
    "speed": (
        "Tempo: {table:.0f} s di gioco in {wall:.0f} s, {times:.1f} volte il vero ({whole:.0f} s in tutto)",
        "Time: {table:.0f} s of play in {wall:.0f} s, {times:.1f} times real speed ({whole:.0f} s in all)",
    ),
    "replay": (
        "Il registro, riletto, dà gli stessi eventi: {answer}",
        "The log, replayed, gives the same events: {answer}",
    ),
    "yes": ("sì", "yes"),
    "no": ("NO", "NO"),
    "modelled": (
        "Carte viste: fotogrammi veri, letti secondo il modello d'errore del tavolo simulato (mazzo senza indici)",
        "Cards seen: real frames, yet read by the simulated table's error model (a pack without indices)",
    ),
    "camera-only": (
        "Solo la telecamera: di {told} mosse dette, {likely} sono soltanto probabili, tra cui {draws} pescate",
        "A camera alone: of {told} moves told {likely} are only likely, {draws} of them draws",
    ),
    "left": ("Mancava su questa macchina", "What this machine did not have"),
    "nothing": ("nulla", "nothing"),
    "state-open": ("aperta", "open"),
    "state-healed": ("sanata", "healed"),
    "state-ruled": ("decisa", "ruled"),
    "state-dismissed": ("archiviata", "dismissed"),
}


def text(lang: str, name: str, **values: object) -> str:
    """Return the text called ``name`` in ``lang`` (``it`` or ``en``)."""
    both = TEXTS[name]
    return both[1 if lang == "en" else 0].format(**values)
