"""What the tagger sees of a word: a few numbers. src/language/word-features.ts computes the same numbers."""

from typing import Callable, NamedTuple

KNOWN_WORDS = 30_000
UNKNOWN = 1
"""The number of every word that is not among the known ones. 0 is no word: the room after a short sentence."""

_DIGITS = str.maketrans("123456789", "000000000")


def normal(word):
    """In lower case, and with all digits alike."""
    return word.lower().translate(_DIGITS)


def hash_of(text):
    """FNV-1a over the UTF-16 units of a text, with its high bits mixed into the low ones."""
    hashed = 2166136261
    units = text.encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2]):
        hashed = ((hashed ^ (low | high << 8)) * 16777619) & 0xFFFFFFFF
    return hashed ^ (hashed >> 15)


def shape_of(word):
    """Digits, signs, hyphens and capitals, as a number."""
    if any(letter.isdigit() for letter in word):
        return 1 if word.replace(",", "").replace(".", "").isdigit() else 2
    if not any(letter.isalpha() for letter in word):
        return 3
    if word.islower():
        return 5 if "-" in word else 4
    if word.isupper() and len(word) > 1:
        return 6
    return 7 if word[0].isupper() else 8


class Feature(NamedTuple):
    name: str
    rows: int
    """How many different numbers there are."""
    width: int
    """How many weights each number has."""


FEATURES = [
    Feature("word", KNOWN_WORDS, 48),
    Feature("suffix2", 1001, 8),
    Feature("suffix3", 6000, 16),
    Feature("suffix4", 6000, 16),
    Feature("prefix3", 3000, 8),
    Feature("shape", 16, 8),
]


def features_of(word, number_of: Callable[[str], int]):
    """The numbers of a word, in the order of FEATURES. `number_of` knows the frequent words."""
    text = normal(word)
    return [
        number_of(text),
        hash_of("2" + text[-2:]) % 1000 + 1,
        hash_of("3" + text[-3:]) % 5999 + 1,
        hash_of("4" + text[-4:]) % 5999 + 1,
        hash_of("p" + text[:3]) % 2999 + 1,
        shape_of(word),
    ]
