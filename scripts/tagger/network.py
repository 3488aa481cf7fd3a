"""The tagger's network. src/language/network.ts runs it."""

import torch
from torch import nn

from features import FEATURES

CELLS = 64
"""Cells that read the sentence forwards, and as many that read it backwards."""
HIDDEN = 64


class Tagger(nn.Module):
    """A word goes through a layer of gated recurrent units in both directions. A hidden layer joins what they found with
    the word itself, and scores the tags. What a layer takes from the word alone can be kept for the next time the word
    occurs, so the tagger only pays for the rest."""

    def __init__(self, tags, dropout=0.05):
        super().__init__()
        self.embeddings = embeddings(1)
        width = sum(table.embedding_dim for table in self.embeddings.values())
        self.reader = nn.GRU(width, CELLS, batch_first=True, bidirectional=True)
        self.from_word = nn.Linear(width, HIDDEN, bias=False)
        self.from_context = nn.Linear(2 * CELLS, HIDDEN)
        self.output = nn.Linear(HIDDEN, tags)
        self.dropout = nn.Dropout(dropout)

    def forward(self, features, lengths):
        """Features of words in sentences, as (sentence, word, feature), and the length of each sentence."""
        words = self.dropout(embedded(self.embeddings, features))
        context = self.dropout(read(self.reader, words, lengths))
        return self.output(self.dropout(torch.relu(self.from_word(words) + self.from_context(context))))


class LargeTagger(nn.Module):
    """A network of another size that is too slow to ship. The tagger learns from several of these."""

    def __init__(self, tags, dropout=0.33):
        super().__init__()
        self.embeddings = embeddings(2)
        width = sum(table.embedding_dim for table in self.embeddings.values())
        self.reader = nn.LSTM(width, 256, num_layers=2, dropout=dropout, batch_first=True, bidirectional=True)
        self.hidden = nn.Linear(512 + width, 256)
        self.output = nn.Linear(256, tags)
        self.dropout = nn.Dropout(dropout)

    def forward(self, features, lengths):
        words = self.dropout(embedded(self.embeddings, features))
        context = self.dropout(read(self.reader, words, lengths))
        return self.output(self.dropout(torch.relu(self.hidden(torch.cat([words, context], -1)))))


def embeddings(times):
    tables = {name: nn.Embedding(rows, width * times, padding_idx=0) for name, rows, width in FEATURES}
    return nn.ModuleDict(tables)


def embedded(tables, features):
    return torch.cat([table(features[..., i]) for i, table in enumerate(tables.values())], -1)


def read(reader, words, lengths):
    packed = nn.utils.rnn.pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
    return nn.utils.rnn.pad_packed_sequence(reader(packed)[0], batch_first=True)[0]
