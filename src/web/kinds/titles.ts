/** Titles from names. */

/** "box-label" becomes "Box label". */
export function titled(name: string): string {
  const words = name.replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
