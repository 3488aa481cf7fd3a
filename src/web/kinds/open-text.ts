/** The page of a text with open topics: the text told with topics of the visitor's choice, and where it is used. */
import { TURN_PANEL } from '../assets.ts'
import { type Content, html } from '../html.ts'
import { turnPanel } from '../texts/turn-panel.ts'
import type { Body, ExplorerVisit, Shown } from './kind.ts'

export const openBody =
  (kind: string) =>
  async (visit: ExplorerVisit, record: Shown, uses: Promise<Content>): Promise<Body> => {
    const [turned, below] = await Promise.all([turnPanel(visit, kind, record), uses])
    return {
      scripts: [TURN_PANEL],
      beside: html`<div class="telling"><div>${turned.told} ${turned.views}</div>${turned.panel}</div>`,
      below,
      told: turned,
    }
  }
