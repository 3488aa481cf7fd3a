/**
 * Node's HTTP module. With `import`, Node would also load its `fetch`, and HTTP/2 with it, which nothing here uses: a
 * tenth of the time from the start to the first response.
 */
export const http = process.getBuiltinModule('node:http')
