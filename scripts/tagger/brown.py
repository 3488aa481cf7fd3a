"""From the tags of the Brown corpus to those of the Penn Treebank."""

import re


def brown_pairs(token):
    """One token of Brown as one word of Penn, or as two if Penn splits it: "do" "n't", "man" "'s". None if it is odd."""
    match = re.fullmatch(r"(.+)/([^/]+)", token)
    if not match:
        return None
    word, brown = match.groups()
    if brown.startswith("fw-"):
        return [(word, "FW")]
    # Headlines (-hl) and cited words (-nc) are words like others; in titles (-tl) a capital makes a name.
    titled = "-tl" in brown
    tag = re.sub(r"(?:-(?:tl|hl|nc))+$", "", brown)
    if "+" in tag:
        return _contraction(word, tag.split("+"), titled)
    if re.search(r".\*$", tag):
        split = re.fullmatch(r"(?i)(.+)(n't)|(can)(not)", word)
        return split and _whole(_pair(split[1] or split[3], tag[:-1]), (split[2] or split[4], "RB"))
    if tag.endswith("$") and tag not in ("pp$", "pp$$", "wp$"):
        split = re.fullmatch(r"(?i)(.+)('s?)", word)
        return split and _whole(_pair(split[1], tag[:-1], titled), (split[2], "POS"))
    return _whole(_pair(word, tag, titled))


def _contraction(word, tags, titled):
    split = re.fullmatch(r"(?i)(.+)('(?:s|m|re|ve|d|ll|t)?)", word) or re.fullmatch(
        r"(?i)(gon|got|wan|can|gim|lem)(na|ta|not|me)", word
    )
    if not split or len(tags) > 2 or tags[1].endswith("*"):
        return None
    head, clitic = split.groups()
    # let 's
    second = (clitic, "PRP") if tags == ["vb", "ppo"] else _pair(clitic, tags[1])
    return _whole(_pair(head, tags[0], titled), second)


def _whole(*pairs):
    return list(pairs) if all(pairs) else None


def _pair(word, brown, titled=False):
    tags = _penn_tags(word, brown, titled)
    return tags and ('"' if word in ("``", "''") else word, tags)


def _penn_tags(word, brown, titled):
    lower = word.lower()
    capital = word[0] != lower[0]
    if titled and capital and re.fullmatch(r"nn|jj|jj[rst]|vb|vb[dgnz]|rb|np|nr|od|ap|uh|ql|pn", brown):
        return "NNP"
    if titled and capital and brown in ("nns", "nps", "nrs"):
        return "NNPS"
    if brown == "nr":
        if lower == "home":
            return "RB|NN"
        if lower in ("today", "tomorrow", "tonight", "yesterday"):
            return "NN"
        return "NNP" if capital else "NN|RB|JJ"
    if brown == "nrs":
        return "NNPS" if capital else "NNS"
    return _BY_WORD.get(f"{lower}/{brown}") or _BY_TAG.get(brown)


def _table(text):
    return {key: tags for keys, tags in re.findall(r"((?:\S+ )+)= (\S+)", text) for key in keys.split()}


_BY_TAG = _table("""
    nn pn = NN            nns = NNS                np = NNP                nps = NNPS
    jj jjs od ap = JJ     jjr = JJR                jjt = JJS
    rb ql qlp rn * = RB   rbr = RBR                rbt = RBS               rp = RP|RB
    in cs = IN            to = TO                  cc = CC                 cd = CD
    at dt dti dts dtx = DT                         abx = DT|CC             abn = DT|PDT         abl = RB|PDT
    vb do hv = VB|VBP     be = VB                  bem ber = VBP           vbz bez doz hvz = VBZ
    vbd dod hvd bed bedz = VBD                     vbg beg hvg = VBG       vbn ben hvn = VBN    md = MD
    pps ppss ppo ppl ppls pp$$ = PRP               pp$ = PRP$
    wps wpo = WP          wdt = WDT                wp$ = WP$               wrb wql = WRB
    ex = EX               uh = UH
    . = .                 , = ,                    : -- = :                ( = -LRB-            ) = -RRB-
    `` = ``               '' ' = ''
""")
_BY_WORD = _table("""
    more/ap less/ap fewer/ap = JJR                 most/ap least/ap fewest/ap = JJS             others/ap = NNS
    more/ql less/ql = RBR     most/ql least/ql = RBS       the/ql = DT         no/ql = RB|DT    such/ql such/abl = PDT|JJ
    one/pn = NN|PRP           what/wdt whatever/wdt = WP|WDT                   that/wps that/wpo = WDT
    half/abn = NN|PDT|RB|JJ   all/abn = DT|PDT|RB          ;/. = :
""")
