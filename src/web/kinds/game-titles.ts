/** The titles of the games of this catalogue. Winners may also come from games of other services, which have none here. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['sets', 'Sets of the day'],
  ['polypuzzle', 'PolyPuzzle'],
  ['quadrazone', 'QuadraZone'],
  ['quizzection', 'QuizZection'],
  ['thegist', 'TheGist'],
  ['unquote', 'unQuote'],
])

/** Its name, if it has no title. */
export function gameTitle(game: string): string {
  return TITLES.get(game) ?? game
}
