/** The unique rules, by resource: repeated here, so that a mistake in a declaration shows. */

export const slots = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)

export const UNIQUE: Readonly<Record<string, readonly string[]>> = {
  fable: ['qode'],
  fortune: ['body'],
  phrase: ['qode'],
  polynym: ['name', 'src', 'area', 'wiki', ...slots('p', 12)],
  polymap: ['name', 'user'],
  polyset: ['name', 'user'],
  quadranym: ['name', 'e', 'r', 'o', 's', 'pos'],
  quadraset: ['name', 'user'],
  queue: ['name'],
  quote: ['body', 'src', 'quadranym'],
  story: ['name'],
  tale: ['name'],
  storyline: ['story', 'rank'],
  taleline: ['tale', 'rank'],
  vectornym: ['name', 'user'],
  winner: ['user', 'app'],
}
