/** The catalogue: every resource, in the order of the root index. A new resource is a file and its line here. */
import { fable } from './fable.ts'
import { fortune } from './fortune.ts'
import { phrase } from './phrase.ts'
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

// biome-ignore format: one a line, in the order clients see.
export const catalogue = [
  fable,
  fortune,
  phrase,
  polynym,
  polymap,
  polyset,
  quadranym,
  quadraset,
  queue,
  quote,
  story,
  tale,
  storyline,
  taleline,
  vectornym,
  winner,
] as const

export { charts } from './charts.ts'
export { games } from './games.ts'
export { honours } from './honours.ts'
export { services } from './services.ts'
export { basesOf, formsOf, playLanguage, searchLanguage } from './words.ts'
