/** What people are honoured with: a level for their points, and badges for what they did. */
export interface Level {
  /** The points that it begins with. */
  readonly from: number
  readonly title: string
  /** What it means, in a sentence. */
  readonly does: string
}

/** What a person has done, counted. */
export interface Deeds {
  /** Records made, and the resources that they are of. */
  readonly made: number
  readonly kinds: number
  readonly votes: number
  readonly games: readonly PlayedGame[]
}

export interface PlayedGame {
  readonly game: string
  readonly title: string
  readonly rounds: number
  readonly hits: number
  readonly near: number
  /** Of all rounds. */
  readonly points: number
  /** The best score; 0 if there is none. */
  readonly best: number
}

export interface Badge {
  readonly title: string
  /** What it is given for, in a sentence. */
  readonly does: string
  isEarned(deeds: Deeds): boolean
}

export interface Honours {
  /** The first begins with no points; each of the others with more than the one before. */
  readonly levels: readonly [Level, ...Level[]]
  readonly badges: readonly Badge[]
}
