/** Whether random tests take their long way: `npm test -- --nightly`. Both ways make every check. */
export const NIGHTLY_RUN = 'NYMDEX_TEST_NIGHTLY'
export const NIGHTLY = process.env[NIGHTLY_RUN] === 'on'
