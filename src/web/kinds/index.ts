/** What is special about the pages of each kind of record. Fortunes and quotes have pages of their own: explorer/text.ts. */
import type { Content } from '../html.ts'
import {
  type Drawing,
  drawPolymap,
  drawPolynym,
  drawPolyset,
  drawQuadranym,
  drawQuadraset,
  drawVectornym,
  inPage,
} from '../pictures/index.ts'

/** A record as the API gives it. */
export type Shown = Readonly<Record<string, any>>

export interface Kind {
  /** Of one: "Quadranym". */
  readonly title: string
  /** Which part of the site it belongs to; see layout.ts. */
  readonly part: string
  /** Can it be liked? */
  readonly liked: boolean
  nameOf(record: Shown): string
  /** A drawing made from the record, also to be had alone. */
  draw?(record: Shown): Drawing
  /** The drawing in a page. */
  picture?(record: Shown): Content
}

const named = ({ name }: Shown): string => name

/** Its texts are drawn by nobody; their words speak. */
function told(title: string, part: string): Kind {
  return { title, part, liked: true, nameOf: named }
}

function drawn(title: string, part: string, draw: (record: any) => Drawing): Kind {
  return { title, part, liked: true, nameOf: named, draw, picture: (record) => inPage(draw(record)) }
}

export const kinds: Readonly<Record<string, Kind>> = {
  quadranym: drawn('Quadranym', 'quadranym', drawQuadranym),
  polynym: drawn('Polynym', 'polynym', drawPolynym),
  polyset: drawn('Polyset', 'sets', drawPolyset),
  quadraset: { ...drawn('Quadraset', 'sets', drawQuadraset), liked: false },
  vectornym: drawn('Vectornym', 'sets', drawVectornym),
  polymap: drawn('Polymap', 'sets', drawPolymap),
  phrase: told('Phrase', 'texts'),
  fable: told('Fable', 'stories'),
  story: told('Story', 'stories'),
  tale: told('Tale', 'stories'),
  queue: { ...told('Wanted topic', 'quadranym'), liked: false },
  winner: {
    title: 'Winner',
    part: 'people',
    liked: false,
    nameOf: ({ by, user, app }) => `${by || user}, ${app}`,
  },
}
