/**
 * Text that is safe to print at a terminal. Control characters can clear the screen, rename the window or type
 * commands; characters that change the direction of text can make it read as something else.
 */

/** C0 without tab and line feed, DEL, C1, and the marks, embeddings, overrides and isolates of bidirectional text. */
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '')
}
