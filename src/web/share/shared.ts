/** What is shared of a page: its link, its picture, its words. */
import type { JsonObject } from '../../declare/index.ts'

export interface Shared {
  /** The path that is shared, with the turns of a text: "/quote/43/?quadranym=183". */
  readonly address: string
  /** The path of its picture. */
  readonly picture: string
  /** The picture in words. */
  readonly alt: string
  /** As people paste it into a message. */
  readonly text: string
  /** Others can embed it. */
  readonly isEmbeddable: boolean
  /** What it is, in the vocabulary of schema.org. */
  readonly data?: JsonObject
}

/** `asked` are the topics and the view of a text, as parameters. */
export function recordPicture(kind: string, id: number, asked = ''): string {
  return `/${kind}/${id}.png${asked && `?${asked}`}`
}

export function wordPicture(word: string): string {
  return `/word/${encodeURIComponent(word)}.png`
}

export function authorPicture(name: string): string {
  return `/author/${encodeURIComponent(name)}.png`
}

/** For a description or an alternative text: one line, not longer than others show. */
export function inShort(text: string, most = 300): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()]
  return letters.length <= most
    ? letters.join('')
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
