/** The kinds of records as the explorer shows them. A kind without a line here is shown from its declaration alone. */
import type { AnyResource, Level } from '../../declare/index.ts'
import { GLOSSARY, isEntry } from '../glossary.ts'
import { CHARTS } from './common-facets.ts'
import { fable } from './fable.ts'
import { COMMON_WORDS } from './form-words.ts'
import { fortune } from './fortune.ts'
import type { Kind, KindFile, Kinds } from './kind.ts'
import { partsOf } from './parts.ts'
import { phrase } from './phrase.ts'
import { plainKind } from './plain.ts'
import { polymap } from './polymap.ts'
import { polynym } from './polynym.ts'
import { polyset } from './polyset.ts'
import { quadranym } from './quadranym.ts'
import { quadraset } from './quadraset.ts'
import { queue } from './queue.ts'
import { quote } from './quote.ts'
import { story } from './story.ts'
import { storyline } from './storyline.ts'
import { tale } from './tale.ts'
import { taleline } from './taleline.ts'
import { vectornym } from './vectornym.ts'
import { winner } from './winner.ts'

/** In the order of the site: on the front page, in hubs, in what a search finds. */
// biome-ignore format: one a line.
const FILES: readonly KindFile[] = [
  quadranym,
  polynym,
  polyset,
  quadraset,
  vectornym,
  polymap,
  fortune,
  quote,
  phrase,
  story,
  tale,
  fable,
  storyline,
  taleline,
  queue,
  winner,
]

/** Kinds that have a file come first, in the order above; the others follow in the order of the catalogue. */
export function kindsOf(catalogue: readonly AnyResource[], levels: readonly Level[] = []): Kinds {
  const files = new Map(FILES.map((file) => [file.name, file]))
  const places = new Map(FILES.map(({ name }, place) => [name, place]))
  const placeOf = ({ name }: AnyResource) => places.get(name) ?? FILES.length
  const sorted = [...catalogue].sort((a, b) => placeOf(a) - placeOf(b))
  const all = sorted.map((resource) => told(plainKind(resource, sorted), files.get(resource.name)))
  const canAnnotate = [quadranym, fortune, quote].every((file) => sorted.some(({ name }) => name === file.name))
  const byName = new Map(all.map((kind) => [kind.name, kind]))
  return {
    all,
    levels,
    canAnnotate,
    parts: partsOf(all),
    find: (name) => byName.get(name),
    get(name) {
      const found = byName.get(name)
      if (!found) throw new Error(`The catalogue has no ${name}`)
      return found
    },
  }
}

/** What the file of a kind says overrides what its declaration says. */
function told(plain: Kind, file: KindFile | undefined): Kind {
  if (!file) return plain
  const words = { ...COMMON_WORDS, ...file.form?.words }
  const does = isEntry(file.name) ? { does: GLOSSARY[file.name].sentence } : {}
  return { ...plain, charts: CHARTS, ...does, ...file, form: plain.form && { ...plain.form, ...file.form, words } }
}

export type {
  Body,
  Companion,
  ExplorerPage,
  ExplorerVisit,
  FormWords,
  Kind,
  KindForm,
  Kinds,
  MadeKind,
  Reference,
  Shown,
  Use,
} from './kind.ts'
