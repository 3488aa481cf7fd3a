/** What each status is called. */
import { http } from '../../engine/index.ts'

export const { STATUS_CODES } = http
