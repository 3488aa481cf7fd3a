export type { PlayLanguage, WordSet } from '../../declare/index.ts'
export {
  type Board,
  type BoardGroup,
  boardHash,
  GROUP_SIZE,
  GROUPS,
  type PublishedBoard,
  verifyBoard,
} from './board.ts'
export { BoardIndex, isPlayable } from './board-index.ts'
export { hasOneSolution, makeBoard, makeCalendar } from './make-board.ts'
export { partitionsOf } from './partitions.ts'
export { PlayedGroups } from './played-groups.ts'
