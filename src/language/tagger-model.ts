/** The weights of the tagger, and how they are read from model/tagger.bin, which scripts/tagger makes. */
/** A vector of signed bytes for each number that a feature of a word can have. */
export interface Embedding {
  readonly width: number
  readonly rows: Int8Array
  readonly scales: Uint16Array
}

/** Weights as the kernel reads them: in blocks of 64 columns, with a line for each of `count` inputs. */
export interface Matrix {
  readonly count: number
  readonly weights: Int16Array
}

export interface TaggerModel {
  readonly tags: readonly string[]
  /** The hashes of the known words, the most frequent first. */
  readonly wordHashes: Uint32Array
  /** Of the word itself, then of each of `partsOf`. */
  readonly embeddings: readonly Embedding[]
  /** From the embeddings of a word to all that depends on the word alone. */
  readonly input: Matrix
  readonly inputBias: Int16Array
  /** From the state before a word to the gates, on the way through the sentence and on the way back. */
  readonly forward: Matrix
  readonly backward: Matrix
  /** From the states of both ways to the hidden layer, and from there to the scores. */
  readonly hidden: Matrix
  readonly output: Matrix
  readonly outputBias: Int16Array
}

const MAGIC = 'NYMDEX-TAGGER-1\n'
const ALIGNMENT = 16
const FEATURES = 6

interface Section {
  readonly width: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

export function readModel(file: Uint8Array): TaggerModel {
  const sections = sectionsOf(file)
  const next = () => {
    const section = sections.shift()
    if (!section) throw new Error('The model of the tagger is incomplete.')
    return section
  }
  const numbers = () => new Int16Array(next().bytes.buffer)
  const matrix = () => {
    const { width, bytes } = next()
    return { count: width, weights: new Int16Array(bytes.buffer) }
  }
  return {
    tags: new TextDecoder().decode(next().bytes).split('\n'),
    wordHashes: new Uint32Array(next().bytes.buffer),
    embeddings: Array.from({ length: FEATURES }, () => {
      const { width, bytes } = next()
      return { width, rows: new Int8Array(bytes.buffer), scales: new Uint16Array(next().bytes.buffer) }
    }),
    input: matrix(),
    inputBias: numbers(),
    forward: matrix(),
    backward: matrix(),
    hidden: matrix(),
    output: matrix(),
    outputBias: numbers(),
  }
}

/** The file: a line, the number of sections, the width of a row and the length of each, the sections. */
function sectionsOf(file: Uint8Array): Section[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const start = MAGIC.length
  if (new TextDecoder().decode(file.subarray(0, start)) !== MAGIC) throw new Error('This is no model of the tagger.')
  const count = view.getUint32(start, true)
  let at = start + 4 + 8 * count
  return Array.from({ length: count }, (_, i) => {
    const width = view.getUint32(start + 4 + 8 * i, true)
    const length = view.getUint32(start + 8 + 8 * i, true)
    at = Math.ceil(at / ALIGNMENT) * ALIGNMENT
    // A copy has a buffer of its own, which arrays of other types can share.
    const bytes = new Uint8Array(file.subarray(at, at + length))
    at += length
    return { width, bytes }
  })
}
