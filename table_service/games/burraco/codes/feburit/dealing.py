"""Arts. 1 to 4 and 12: the pack, seats, the deal and what is wrong with it (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.feburit.steps import STOP
from table_service.referee.catalogue import Ageing, Row, Words
from table_service.referee.row_writing import fault, holds, step

_REDEAL: Final = step("redeal", "table",
    "Si ripete tutta l'operazione: mescolare, tagliare, distribuire, formare i pozzetti.",
    "All of it is done again: shuffle, cut, deal, build the pots.")  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (
    holds("B-01", "1", Words("Mazzo, rango e valore delle carte", "Pack, rank and value of the cards"),
        Words(
            "108 carte con quattro jolly. Rango: jolly, 2, A, K … 3; cuori, quadri, fiori, picche. Valori: jolly 30, "
            "2 20, A 15, K–8 10, 7–3 5.",
            "108 cards with four jokers. Rank: joker, 2, A, K … 3; hearts, diamonds, clubs, spades. Values: joker "
            "30, 2 20, A 15, K–8 10, 7–3 5.")),
    holds("B-02", "2", Words("Tavoli e accoppiamenti", "Tables and pairings"),
        Words(
            "Linee N-S ed E-O, sistema Mitchell o danese; tornei a coppie, a squadre (quattro e fino a due riserve), "
            "individuali e singoli.",
            "Lines N-S and E-W, Mitchell or Danish movement; events for pairs, teams (four and up to two reserves), "
            "individuals and singles."), "person"),
    fault("B-03", "3", Words("Mazzo difforme prima del gioco", "Irregular pack before play"), ("scale", "person"),
        STOP,
        step("replace-pack", "arbitro", "I giocatori controllano il mazzo; uno difforme lo sostituisce l'arbitro.",
            "The players check the pack; one that is not right the arbitro replaces."), asks=()),
    holds("B-03b", "3", Words("Sorteggio dei posti e del mazziere", "Draw for seats and dealer"),
        Words(
            "La carta più alta sceglie il posto, è servita dall'avversario con la più bassa e tiene lo score; chi "
            "pareggia conserva la precedenza sugli altri ed estrae di nuovo.",
            "The highest card chooses its seat, is served by the opponent with the lowest and keeps the score sheet; "
            "who ties keeps his priority over the others and draws again."), "camera", "person"),
    fault("B-04a", "4",
        Words("Carta vista nella distribuzione o nei pozzetti", "Card seen while dealing or building the pots"),
        ("camera", "person"), STOP, _REDEAL, asks=()),
    fault("B-04b", "4 A",
        Words("Errata distribuzione, prima della carta scoperta", "Misdeal, found before the turn-up"),
        ("scale", "person"), STOP, _REDEAL, Ageing("next-draw", "B-04c"), asks=()),
    fault("B-04c", "4 B", Words("Errata distribuzione, dopo la carta scoperta", "Misdeal, found after the turn-up"),
        ("scale", "person"), step("nothing", "table", "Il gioco prosegue e vale.", "Play goes on and counts."),
        step("warn", "line", "Il mazziere è ammonito.", "The dealer is warned."),
        step("score", "line", "Per ogni ammonizione oltre la prima la coppia perde 1 V.P. nella classifica finale.",
            "For every warning after the first the pair loses 1 victory point in the final ranking."),
        severity="warning", asks=("seat",)),
    fault("B-04d", "4, in sintesi B",
        Words("Carte guardate o gioco iniziato prima della carta scoperta",
            "Cards looked at or play begun before the turn-up"), ("scale", "gate", "camera", "person"),
        step("nothing", "table", "È vietato prima che il mazziere scopra la prima carta; nessuna penalità è scritta.",
            "It is forbidden before the dealer turns up the first card; no penalty is written."), asks=("seat",),
        heals="next-seat-draws"),
    fault("B-04e", "4, in sintesi C", Words("Carte contate guardandole", "Cards looked at while they are counted"),
        ("person",),
        step("nothing", "table", "Si contano coperte; nessuna penalità è scritta.",
            "They are counted face down; no penalty is written."), asks=("seat",), heals="next-seat-draws"),
    holds("B-04f", "4", Words("Carta scoperta dentro il tallone", "Face-up card within the stock"),
        Words("Si ricopre dove sta e si prosegue.", "It is turned down where it lies, and play goes on."), "camera",
        "person"),
    holds("B-04g", "4", Words("Procedura della distribuzione", "How the cards are dealt"),
        Words(
            "Il mazziere mescola, e prima chi lo chiede; chi gli sta a destra taglia e forma dal fondo i due "
            "pozzetti, posti alla destra del mazziere; undici carte a testa una per volta in senso orario; contate "
            "coperte, il mazziere scopre la prima del tallone.",
            "The dealer shuffles, before him who asks to; the player at his right cuts and builds the two pots from "
            "the bottom, laid at the dealer's right; eleven cards each, one by one clockwise; once they are counted "
            "face down the dealer turns up the first of the stock."), "scale", "person"),
    holds("B-12", "12", Words("Carte mancanti o eccedenti nel mazzo", "Cards missing from the pack or too many"),
        Words(
            "Prima del gioco si sostituisce il mazzo; durante la mano si gioca fino alla chiusura, il risultato vale "
            "e poi si regolarizza il mazzo.",
            "Before play the pack is replaced; during a deal it is played out, the result counts and the pack is put "
            "right afterwards."), "scale", "camera", "person"),
)  # fmt: skip
