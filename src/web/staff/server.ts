/** /staff/: whether the server is well, and what it does by itself. */
import type { StaffJob, StaffStatus } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { when } from '../history/when.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../kinds/index.ts'
import { facts, staffPage, withStatus } from './staff-page.ts'

export const serverPage: ExplorerPage = {
  path: '/staff/',
  title: 'Staff',
  GET: (visit) => withStatus(visit, (status) => staffPage(visit, 'Server', show(visit, status))),
}

function show(visit: ExplorerVisit, status: StaffStatus): Content {
  const { health, processes, jobs, settings } = status
  const limits = settings.filter(({ name }) => name.endsWith('_LIMIT'))
  const limited = status.minutes.reduce((sum, minute) => sum + minute.limited, 0)
  const numbers = Object.entries(health.generations).filter(([name]) => visit.kinds.find(name))
  return html`<section>
      <h2>Health</h2>
      ${facts([
        ['Database', state(health.database)],
        ['Writes', state(health.writes)],
        ['Engine', `${health.engine}, version ${health.database_version} of the tables`],
        ['Nymdex', html`${status.version}, started ${when(status.started, visit)}`],
        ['Writes that wait', String(health.writes_waiting)],
        ['Hooks', `${health.hooks.active} active, ${health.hooks.running} at work`],
        ...health.connections.map(
          ({ use, idle, used, waiting }) =>
            [`Connections: ${use}`, `${used} in use, ${idle} idle, ${waiting} requests wait`] as const,
        ),
        ...health.replicas.map(({ name, used }) => [name, used ? 'used' : 'left out'] as const),
      ])}
    </section>
    <section>
      <h2>${counted(processes.length, 'process', 'processes')}</h2>
      <div class="wide"><table class="ledger">
        <thead><tr><th scope="col">Role</th><th scope="col" class="number">Memory</th><th scope="col" class="number">Streams</th></tr></thead>
        <tbody>${processes.map(
          ({ role, memory, streams }) =>
            html`<tr><td>${role}</td><td class="number">${Math.round(memory / 1e6)} MB</td><td class="number">${streams}</td></tr>`,
        )}</tbody>
      </table></div>
    </section>
    <section>
      <h2>Jobs</h2>
      ${
        jobs.length === 0
          ? html`<p class="soft">Nothing runs in the background.</p>`
          : html`<ul class="jobs">${jobs.map((job) => html`<li>${jobLine(visit, job)}</li>`)}</ul>`
      }
    </section>
    <section>
      <h2>Limits</h2>
      <p class="does">${counted(limited, 'request was', 'requests were')} refused by a limit in the last hour. The server keeps only hashes of who they were.</p>
      ${facts(limits.map(({ option, value }) => [option, value]))}
    </section>
    <section>
      <h2>Changes</h2>
      <p class="does">How often each collection has changed since the database was made.</p>
      ${facts(numbers.map(([name, number]) => [visit.kinds.find(name)?.many ?? name, number.toLocaleString('en')]))}
    </section>`
}

function state(says: string): Content {
  return html`<span class=${says === 'ok' ? 'fine' : 'wrong'}>${says}</span>`
}

function jobLine(visit: ExplorerVisit, { name, state, last, next, says }: StaffJob): Content {
  return html`<b>${name}</b>
    <span class="meta">
      <span class=${state === 'failed' ? 'wrong' : ''}>${state}</span>
      ${says && html`<span>${says}</span>`}
      ${last && html`<span>last run ${when(last, visit)}</span>`}
      ${next && html`<span>next on ${next.slice(0, 10)} at ${next.slice(11, 16)} UTC</span>`}
    </span>`
}
