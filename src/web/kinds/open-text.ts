/** The page of a text with open topics: the text told with topics of the visitor's choice, and where it is used. */
import { FLIP } from '../assets.ts'
import { type Content, html } from '../html.ts'
import { flipPanel } from '../texts/flip.ts'
import type { Body, ExplorerVisit, Shown } from './kind.ts'

export const openBody =
  (kind: string) =>
  async (visit: ExplorerVisit, record: Shown, uses: Promise<Content>): Promise<Body> => {
    const [flip, below] = await Promise.all([flipPanel(visit, kind, record), uses])
    return {
      scripts: [FLIP],
      beside: html`<div class="telling"><div>${flip.told} ${flip.views}</div>${flip.panel}</div>`,
      below,
      told: flip,
    }
  }
