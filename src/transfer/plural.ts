/** The noun that goes with a number: "record" with 1, "records" with any other. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many
}
