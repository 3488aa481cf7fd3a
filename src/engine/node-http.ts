/**
 * Node's HTTP module. With `import`, Node would also load its `fetch`, and HTTP/2 with it, which a server does not use:
 * almost a tenth of the processor time that a start takes.
 */
export const http = process.getBuiltinModule('node:http')
