/** Cuts a long JSON text, because colouring all of it would take seconds. */

export interface Beginning {
  /** Valid JSON: open lists and objects are closed. */
  readonly json: string
  /** The number of complete objects in the list of the outermost object: the records of a page. */
  readonly records: number
}

interface Cut {
  readonly at: number
  readonly open: string
  readonly records: number
}

/** At most `most` characters, cut between two values: between two records, unless one record takes most of the space. */
export function beginningOf(json: string, most: number): Beginning {
  const cuts = cutsIn(json, most)
  const early = cuts.find((cut) => cut && cut.at > most / 2)
  const cut = early ?? cuts.reduce((last, each) => (each && each.at > (last?.at ?? 0) ? each : last), undefined)
  if (!cut) return { json: json.startsWith('[') ? '[]' : '{}', records: 0 }
  const closers = [...cut.open].reverse().map((opener) => (opener === '{' ? '}' : ']'))
  return { json: json.slice(0, cut.at) + closers.join(''), records: cut.records }
}

/** The last comma of each depth: everything before it is complete. */
function cutsIn(json: string, most: number): (Cut | undefined)[] {
  const cuts: (Cut | undefined)[] = []
  let open = ''
  let records = 0
  let isText = false
  for (let at = 0; at < most; at++) {
    const sign = json[at]
    if (isText) {
      if (sign === '\\') at++
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{' || sign === '[') open += sign
    else if (sign === '}' || sign === ']') {
      if (open === '{[{') records++
      open = open.slice(0, -1)
    } else if (sign === ',') cuts[open.length] = { at, open, records }
  }
  return cuts
}
