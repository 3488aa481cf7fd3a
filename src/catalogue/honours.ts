/** Levels and badges of people. A point is a vote, a record made, or a point of a best score. */
import type { Badge, Deeds, Honours, PlayedGame } from '../declare/index.ts'
import { games } from './games.ts'

const WHOLE_GAME = 10
const SHARP = 50
const [WEEK, MONTH] = [7, 30]

const inGame = ({ games: played }: Deeds, name: string) => played.find(({ game }) => game === name)
const inAll = ({ games: played }: Deeds, count: (each: PlayedGame) => number) =>
  played.reduce((sum, each) => sum + count(each), 0)

/** Two for each game. */
const ofGames = games.list.flatMap(({ name, title }): Badge[] => [
  {
    title: `${title} player`,
    does: `Played ten rounds of ${title}.`,
    isEarned: (deeds) => (inGame(deeds, name)?.rounds ?? 0) >= WHOLE_GAME,
  },
  {
    title: `${title} ace`,
    does: `Found the answer in 50 rounds of ${title}.`,
    isEarned: (deeds) => (inGame(deeds, name)?.hits ?? 0) >= SHARP,
  },
])

/** The best score of the game with a board a day is the longest streak. */
const streakOf = (deeds: Deeds) => inGame(deeds, games.daily.name)?.best ?? 0
const { title: DAILY } = games.daily

export const honours: Honours = {
  levels: [
    { from: 0, title: 'Guest', does: 'Has come to look around.' },
    { from: 25, title: 'Neighbour', does: 'Comes by often, and is known here.' },
    { from: 50, title: 'Gatherer', does: 'Brings words and sayings that others can use.' },
    { from: 100, title: 'Weaver', does: 'Ties words together that belong together.' },
    { from: 200, title: 'Gardener', does: 'Makes the catalogue grow, and looks after it.' },
    { from: 500, title: 'Storyteller', does: 'Has so much to tell that others come to listen.' },
    { from: 1000, title: 'Lighthouse', does: 'Shows others the way through the catalogue.' },
  ],
  badges: [
    { title: 'First entry', does: 'Made an entry.', isEarned: ({ made }) => made >= 1 },
    { title: 'Full basket', does: 'Made 50 entries.', isEarned: ({ made }) => made >= 50 },
    { title: 'Deep well', does: 'Made 500 entries.', isEarned: ({ made }) => made >= 500 },
    { title: 'Many hands', does: 'Made entries of five kinds.', isEarned: ({ kinds }) => kinds >= 5 },
    { title: 'Kind word', does: 'Liked ten entries.', isEarned: ({ votes }) => votes >= 10 },
    { title: 'Big heart', does: 'Liked a hundred entries.', isEarned: ({ votes }) => votes >= 100 },
    ...ofGames,
    {
      title: 'A week of sets',
      does: `Solved ${DAILY} on seven days in a row.`,
      isEarned: (deeds) => streakOf(deeds) >= WEEK,
    },
    {
      title: 'A month of sets',
      does: `Solved ${DAILY} on thirty days in a row.`,
      isEarned: (deeds) => streakOf(deeds) >= MONTH,
    },
    {
      title: 'All-rounder',
      does: 'Played a round of every game.',
      isEarned: (deeds) => games.list.every(({ name }) => (inGame(deeds, name)?.rounds ?? 0) > 0),
    },
    { title: 'So close', does: 'Was near in ten rounds.', isEarned: (deeds) => inAll(deeds, ({ near }) => near) >= 10 },
  ],
}
