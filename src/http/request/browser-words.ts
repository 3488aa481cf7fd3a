/** What a browser is called, for the list of sessions: "Firefox on Linux". The header itself is not stored. */

/** The first that is found. Browsers also name those that they are like. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
/** More is not looked at. */
const LONGEST = 1000
const LONGEST_PRODUCT = 30

export function browserInWords(userAgent: string | undefined): string {
  const given = (userAgent ?? '').slice(0, LONGEST)
  const browser = BROWSERS.find(([pattern]) => pattern.test(given))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(given))?.[1]
  if (browser) return system ? `${browser} on ${system}` : browser
  // Programs name themselves first: curl/8.5.0.
  const [product] = /^[A-Za-z][A-Za-z0-9_.-]*/.exec(given) ?? []
  return product && product !== 'Mozilla' ? product.slice(0, LONGEST_PRODUCT) : 'Unknown browser'
}
