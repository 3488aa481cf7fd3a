/** Pages for staff: the server, its figures and settings, and accounts. */
import type { ExplorerPage } from '../kinds/index.ts'
import { peoplePages } from './people.ts'
import { serverPage } from './server.ts'
import { settingsPage } from './settings.ts'
import { figuresPage } from './staff-figures.ts'

export const staffPages: readonly ExplorerPage[] = [serverPage, figuresPage, settingsPage, ...peoplePages]
