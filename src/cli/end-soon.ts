/** The end of a server process. */

/** How long the process may still take when everything is closed. */
const END_MS = 200

/**
 * What is closed can still have open connections: to a database, a mail server or a collector of traces that does not
 * answer. They must not delay the end.
 */
export function endSoon(): void {
  setTimeout(() => process.exit(), END_MS).unref()
}
