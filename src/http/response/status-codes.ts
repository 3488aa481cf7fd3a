import { http } from '../../engine/index.ts'

/** What each status is called. */
export const { STATUS_CODES } = http
