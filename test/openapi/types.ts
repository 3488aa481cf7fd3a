/** What the compiler must refuse of routes. Nothing here runs; `npm run types` is the test. */
import type { Method, Route } from '../../src/http/router.ts'

const handle = () => ({ status: 200, json: '{}' })
const answers = { 200: { says: 'Nothing.' } }

export const listed: Method = { summary: 'Nothing', answers, handle }
export const unlisted: Method = { unlisted: true, handle }
// @ts-expect-error a handler alone says nothing of itself
export const silent: Method = handle
// @ts-expect-error what it answers is missing
export const vague: Method = { summary: 'Nothing', handle }
// @ts-expect-error what it does is missing
export const idle: Method = { summary: 'Nothing', answers }
// @ts-expect-error the same in a route
export const route: Route = { path: '/', title: 'Nothing', methods: { GET: { handle } } }
