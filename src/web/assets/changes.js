// @ts-check
// Recent changes: says how many are new as they are made, and shows them when the visitor wants to see them.

/** In milliseconds: the browser reconnects by itself unless the server has refused. */
const PATIENCE = 30_000

const place = document.getElementById('fresh')
if (place && document.querySelector('#changes[data-live]')) follow(place)

/** @param {HTMLElement} place where the button appears */
function follow(place) {
  const title = document.title
  /** @type {Set<number>} */
  const sets = new Set()
  /** @type {EventSource | undefined} */
  let source
  let since = 0
  let address = ''

  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn go'
  button.addEventListener('click', show)

  /** Continues after what the page shows. */
  function begin() {
    const list = /** @type {HTMLElement} */ (document.getElementById('changes'))
    since = Number(list.dataset['since'])
    address = list.dataset['live'] ?? ''
    connect()
  }

  function connect() {
    source?.close()
    source = new EventSource(`${address}&since=${since}`)
    source.addEventListener('change', ({ data }) => {
      const { seq, set } = JSON.parse(data)
      since = seq
      sets.add(set)
      tell()
    })
    source.addEventListener('checkpoint', ({ data }) => {
      since = JSON.parse(data).next
    })
    source.addEventListener('error', ({ target }) => {
      const isRefused = target === source && source?.readyState === EventSource.CLOSED
      if (isRefused) setTimeout(() => document.hidden || target !== source || connect(), PATIENCE)
    })
  }

  function tell() {
    const count = sets.size
    button.textContent = `Show ${count} new ${count === 1 ? 'change' : 'changes'}`
    document.title = `(${count}) ${title}`
    if (!button.isConnected) place.replaceChildren(button)
  }

  async function show() {
    button.disabled = true
    try {
      const answer = await fetch(location.href)
      if (!answer.ok) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const [list, found] = [document.getElementById('changes'), page.getElementById('changes')]
      if (!list || !found) return
      for (const item of found.querySelectorAll('li[id^="set-"]')) {
        if (!document.getElementById(item.id)) item.classList.add('new')
      }
      list.replaceWith(found)
      sets.clear()
      document.title = title
      // The keyboard continues at the first of them.
      const first = /** @type {HTMLElement | null} */ (found.querySelector('li.new'))
      if (first) first.tabIndex = -1
      button.remove()
      first?.focus({ preventScroll: true })
      begin()
    } catch {
      // The button stays, for another try.
    } finally {
      button.disabled = false
    }
  }

  // A hidden page needs no connection: a browser has few of them for each server.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) source?.close()
    else connect()
  })
  begin()
}
