"""The rows of the F.I.Bur. code as this room reads them: kind, article, and how severe the contract lets each be."""

from __future__ import annotations

from dataclasses import dataclass

_ROWS = """
F-G01  principle    Irregolarita',perdita_del_diritto
F-G02  principle    Irregolarita',perdita_del_diritto
F-G03  irregularity Irregolarita'_procedura,21               play-stops
F-G04  principle    Definizioni,poteri_d
F-02   irregularity 2                                        warning
F-03   irregularity 3                                        note
F-04a  irregularity 4                                        warning
F-04b  situation    4
F-04c  irregularity 4                                        play-stops
F-04d  irregularity 4,7                                      play-stops
F-04e  irregularity 4,7                                      play-stops
F-04f  irregularity 4,7                                      note
F-04g  irregularity 4                                        warning
F-04h  irregularity 4,23                                     warning
F-04i  irregularity 4                                        warning
F-04j  situation    4
F-04k  irregularity 4,23                                     note
F-05a  irregularity 5                                        play-stops
F-05b  irregularity 5                                        note
F-05c  irregularity 5                                        note
F-05d  irregularity 5_NB                                     play-stops
F-06   irregularity 6                                        note
F-07a  situation    7,8,9
F-07b  situation    7
F-08a  irregularity 8                                        play-stops
F-08b  situation    8
F-08c  irregularity 8,22                                     note
F-09a  situation    9
F-09b  irregularity 9,30                                     play-stops
F-09c  irregularity 9                                        play-stops
F-09d  irregularity 9                                        warning
F-09e  situation    9
F-09f  irregularity 9                                        play-stops
F-09g  irregularity 9                                        note play-stops
F-09h  irregularity 9,25                                     play-stops
F-10a  irregularity 10                                       note play-stops
F-10b  irregularity 10                                       play-stops
F-10c  situation    10,29
F-11a  situation    11
F-11b  irregularity 11,22                                    play-stops
F-14   situation    14
F-15a  situation    15
F-15b  situation    15
F-15c  situation    15
F-15d  situation    15,17
F-16   situation    16
F-17   situation    17
F-18   situation    18
F-19a  irregularity 19                                       warning
F-19b  irregularity 19                                       score
F-20   irregularity 20                                       score
F-21a  irregularity 21                                       note play-stops
F-21b  irregularity 21                                       warning
F-21c  irregularity 21_ex.1                                  play-stops
F-21d  irregularity 21_ex.2                                  play-stops
F-22a  irregularity 22                                       play-stops
F-22b  irregularity 22                                       play-stops
F-22c  irregularity 22                                       play-stops
F-22d  irregularity 22                                       play-stops
F-22e  irregularity 22                                       play-stops
F-23a  situation    23
F-23b  irregularity 23                                       warning
F-23c  irregularity 23                                       play-stops
F-23d  situation    23
F-23e  situation    23
F-23f  irregularity 23                                       warning
F-23g  irregularity 23,30                                    play-stops
F-23h  irregularity 23,35                                    score
F-23i  irregularity 23,33                                    score
F-23j  irregularity 23                                       play-stops
F-23k  irregularity 23                                       score
F-23l  irregularity 23                                       score
F-23m  irregularity 23                                       score
F-23n  irregularity 23,33,34,35                              score
F-23o  irregularity 23                                       score
F-24a  irregularity 24                                       play-stops
F-24b  irregularity 24                                       play-stops
F-24c  irregularity 24                                       play-stops
F-24d  irregularity 24                                       play-stops
F-25a  irregularity 25                                       play-stops
F-25b  irregularity 25                                       play-stops
F-25c  irregularity 25                                       score
F-26a  irregularity 26.1                                     play-stops
F-26b  irregularity 26.2                                     play-stops
F-26c  irregularity 26.3                                     play-stops
F-26d  irregularity 26.4                                     score
F-26e  irregularity 26.5                                     play-stops
F-27a  irregularity 27                                       play-stops
F-27b  irregularity 27                                       play-stops
F-27c  irregularity 27                                       play-stops
F-27d  irregularity 27                                       play-stops
F-28a  irregularity 28                                       play-stops
F-28b  irregularity 28                                       play-stops
F-28c  irregularity 28                                       play-stops
F-28d  irregularity 28,25                                    play-stops
F-28e  irregularity 28                                       warning
F-28f  irregularity 28                                       play-stops
F-28g  irregularity 28                                       play-stops
F-28h  irregularity 28                                       warning
F-29a  irregularity 29                                       play-stops
F-29b  irregularity 29                                       play-stops
F-29c  irregularity 29                                       play-stops
F-29d  irregularity 29                                       play-stops
F-29e  irregularity 29,def._Legare                           play-stops
F-30a  irregularity 30                                       play-stops note
F-30b  irregularity 30,22                                    play-stops
F-30c  irregularity 30                                       score
F-31a  irregularity 31                                       play-stops note
F-31b  irregularity 31                                       play-stops
F-31c  irregularity 31                                       play-stops
F-31d  irregularity 31                                       play-stops
F-31e  irregularity 31                                       play-stops
F-31f  irregularity 31                                       play-stops
F-32   irregularity 32                                       play-stops
F-33   irregularity 33                                       score
F-34   irregularity 34                                       score
F-35a  irregularity 35                                       score
F-35b  irregularity 35                                       score
F-36   irregularity 36                                       score
F-37   irregularity 37                                       warning
F-38   irregularity 38                                       note score
F-39   irregularity 39                                       warning score
F-40   irregularity 40                                       note
F-P1   irregularity poteri_e                                 score
F-P2   irregularity poteri_g                                 score
F-B1   irregularity norme_comportamentali                    warning
F-S1   irregularity tavoli_provvisti_di_separe'              note
F-S2   irregularity tavoli_provvisti_di_separe'              note
F-S3   irregularity tavoli_provvisti_di_separe'              note
F-01   situation    1
F-12   irregularity 12                                       play-stops
F-11c  irregularity 11                                       play-stops
F-13   situation    13
F-G05  principle    Irregolarita'_procedura
F-G06  principle    Definizioni
F-G07  principle    Definizioni
F-03b  situation    3
F-04l  situation    4
F-04m  situation    4
F-04n  situation    4
F-06b  situation    6
F-08d  situation    8
F-12b  irregularity 10,11,12                                 play-stops
F-13b  situation    13,def.
F-17b  situation    17
F-18b  situation    18
F-18c  situation    18
F-20b  situation    20
F-23p  irregularity 23                                       note
F-25d  irregularity 25,18                                    score
F-28i  irregularity 28                                       play-stops
F-28j  situation    28
F-30d  irregularity 30,22                                    play-stops
F-38b  situation    38
F-38c  irregularity 38                                       note
F-38d  irregularity 38                                       note score
F-38e  irregularity 38,39                                    score
F-38f  irregularity 38                                       score
F-38g  irregularity 38                                       score
F-38h  situation    38,39
F-39b  irregularity 39                                       warning score
F-39c  situation    39
F-P3   principle    poteri_a,b,c,f
F-B2   irregularity Definizioni                              note
F-S4   situation    tavoli_provvisti_di_separe'
F-S5   situation    tavoli_provvisti_di_separe'
"""


@dataclass(frozen=True)
class Entry:
    """kind: irregularity, situation or principle; severity: every word that will do (none where nothing is told)."""

    kind: str
    article: str
    severity: tuple[str, ...]


CODE = {
    row: Entry(kind, article.replace("_", " "), tuple(rest))
    for row, kind, article, *rest in (line.split() for line in _ROWS.strip().splitlines())
}
EXAMPLES = tuple(f"X-F{number:02}" for number in range(1, 20))
