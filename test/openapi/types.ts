/** Routes that the compiler must reject. Nothing here runs; `npm run types` is the test. */
import type { Method, Route } from '../../src/http/routing/router.ts'

const handle = () => ({ status: 200, json: '{}' })
const answers = { 200: { says: 'Nothing.' } }

const said = { summary: 'Nothing', description: 'Does nothing.' }

export const listed: Method = { ...said, answers, handle }
export const unlisted: Method = { unlisted: true, handle }
// @ts-expect-error a handler alone has no description
export const silent: Method = handle
// @ts-expect-error the response is missing
export const vague: Method = { ...said, handle }
// @ts-expect-error the description is missing
export const terse: Method = { summary: 'Nothing', answers, handle }
// @ts-expect-error the handler is missing
export const idle: Method = { ...said, answers }
// @ts-expect-error the same in a route
export const route: Route = { path: '/', title: 'Nothing', methods: { GET: { handle } } }
