/** What the page of each kind of record says below its head. */
import type { Content } from '../../html.ts'
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { queueBody, winnerBody } from './others.ts'
import { polymapBody, polysetBody, quadrasetBody, vectornymBody } from './sets.ts'
import { openBody, storyBody, taleBody } from './told.ts'
import { polynymBody, quadranymBody } from './words.ts'

export interface Body {
  /** Under the head, beside the picture. */
  readonly beside?: Content
  /** False where the page shows as HTML what the picture would. */
  readonly figure?: false
  readonly below?: Content
  readonly scripts?: readonly string[]
}

export const bodies: Readonly<Record<string, (visit: ExplorerVisit, record: Shown) => Promise<Body> | Body>> = {
  quadranym: quadranymBody,
  polynym: polynymBody,
  quadraset: quadrasetBody,
  polyset: polysetBody,
  vectornym: vectornymBody,
  polymap: polymapBody,
  phrase: openBody('phrase'),
  fable: openBody('fable'),
  story: storyBody,
  tale: taleBody,
  queue: queueBody,
  winner: winnerBody,
}
