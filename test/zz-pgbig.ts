import { startPostgres } from '/work/main/test/support/postgres.ts'
import { spawnSync } from 'node:child_process'
const pg = await startPostgres()
try {
  for (const args of [['restore','/tmp/bk/big.backup'],['backup','/tmp/bk/pg.backup','--force'],['doctor'],['restore','/tmp/bk/big.backup','--force']]) {
    const r = spawnSync('/usr/bin/time',['-f','%es user %U %MkB',process.execPath,'--max-old-space-size=64','/work/main/bin/nymdex.js',...args],{env:{...process.env,DATABASE_URL:pg.url},encoding:'utf8'})
    console.log(r.stdout, r.stderr)
  }
} finally { await pg.stop() }
