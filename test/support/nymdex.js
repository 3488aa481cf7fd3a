// The program as tests run it: it also checks that every change says what it touches.
process.env.NYMDEX_CHECK_TOUCHES = 'on'
await import('../../bin/nymdex.js')
