// @ts-check
// For pages of users who are signed in: each session has its own CSRF token. If the user has signed in again in another
// tab, a form takes the new one when it is sent. It does not take that of another user: nothing must be saved in a name
// that the page does not show.

const SESSION = 'nymdex.session'
const user = document.querySelector('.account a[title]')?.textContent
const tokens = () => [...document.querySelectorAll('input[name=csrfmiddlewaretoken]')]
const token = tokens()[0]?.getAttribute('value')
const [loaded] = performance.getEntriesByType('navigation')
const isBack = loaded instanceof PerformanceNavigationTiming && loaded.type === 'back_forward'

// A page from the browser's memory may have an old one.
if (user && token && !isBack) note([user, token])
document.addEventListener(
  'submit',
  ({ target }) => {
    const [name, newest] = noted()
    if (newest && name === user) for (const field of tokens()) field.setAttribute('value', newest)
    if (target instanceof HTMLFormElement && /\/accounts\/logout\/$/.test(target.action)) note([])
  },
  true,
)

/** @param {readonly string[]} session */
function note(session) {
  try {
    localStorage.setItem(SESSION, JSON.stringify(session))
  } catch {
    // The browser refuses to store: the form is shown again, and needs one more press.
  }
}

function noted() {
  try {
    return JSON.parse(localStorage.getItem(SESSION) ?? '[]')
  } catch {
    return []
  }
}
