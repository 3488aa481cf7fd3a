/** HTML as tagged templates (htm on preact), rendered on the server. Every inserted value is escaped. */
import { setImmediate } from 'node:timers/promises'
import htm from 'htm'
import { type ComponentChildren, Fragment, h, type VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { markedLink } from './crawlers.ts'

export type Html = VNode | VNode[] | undefined
export type Content = ComponentChildren

type Create = typeof create
type Tag = (strings: TemplateStringsArray, ...values: unknown[]) => VNode

function create(type: string, attributes: Record<string, unknown> | null, ...content: Content[]): VNode {
  return h(type, type === 'a' && attributes ? markedLink(attributes) : attributes, ...content)
}

/**
 * Several elements next to each other are a list, which can be inserted like one. (The types of htm are for another
 * module system.)
 */
export const html = (htm as unknown as { bind(create: Create): Tag }).bind(create)

/** How many elements of a long list are rendered in one turn of the event loop. */
const AT_ONCE = 100

/**
 * A long list of elements, as content of one. Other requests get their turn while it is rendered. For items that are drawn
 * with many elements, `atOnce` is lower.
 */
export async function renderInTurns<T>(
  items: readonly T[],
  draw: (item: T, i: number) => Content,
  atOnce: number = AT_ONCE,
): Promise<{ readonly __html: string }> {
  const parts: string[] = []
  for (let i = 0; i < items.length; i += atOnce) {
    if (i > 0) await setImmediate()
    parts.push(
      render(
        h(
          Fragment,
          null,
          items.slice(i, i + atOnce).map((item, j) => draw(item, i + j)),
        ),
      ),
    )
  }
  return { __html: parts.join('') }
}

/** One element and its content. */
export function render(content: VNode): string {
  return renderToString(content)
}

/** A whole document. */
export function document(content: VNode): string {
  return `<!doctype html>\n${render(content)}\n`
}
