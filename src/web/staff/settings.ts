/** /staff/settings/: the settings in force, and where each comes from. Passwords are left out. */
import { html } from '../html.ts'
import type { ExplorerPage } from '../kinds/index.ts'
import { staffPage, withStatus } from './staff-page.ts'

export const settingsPage: ExplorerPage = {
  path: '/staff/settings/',
  title: 'Settings',
  GET: (visit) =>
    withStatus(visit, ({ settings }) => {
      const rows = settings.map(
        ({ name, option, value, from, where }) => html`<tr>
          <th scope="row">${option}</th>
          <td>${value === '' ? html`<span class="soft">not set</span>` : html`<code>${value}</code>`}</td>
          <td class=${from === 'default' ? 'soft' : ''}>${from === 'default' ? 'default' : where === name ? `${name} in the environment` : where}</td>
        </tr>`,
      )
      const main = html`<p class="does">The operator sets them with options, in the environment or in a file. Passwords are left out.</p>
        <div class="wide"><table class="ledger">
          <thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">From</th></tr></thead>
          <tbody>${rows}</tbody>
        </table></div>`
      return staffPage(visit, 'Settings', main)
    }),
}
