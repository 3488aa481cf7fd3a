/** A curl command for an operation, with the id of an existing record and the example body of the document. */
import {
  type Body,
  type Document,
  type Media,
  mustSignIn,
  nameIn,
  type Operation,
  type Parameter,
  type Place,
  resolve,
} from './document.ts'

export function curlOf(document: Document, { path, method, operation }: Place): string {
  const { parameters = [], requestBody } = operation
  const given = parameters.map((each) => resolve<Parameter>(document, each))
  const tried = exampleOf(document, operation)?.summary?.replace(/^[A-Z]+ /, '')
  const address =
    tried ??
    `${pathFor(document, path, given).replaceAll(/\{(\w+)\}/g, (_, name) => name.toUpperCase())}${queryOf(given)}`
  const media = requestBody && resolve<Body>(document, requestBody).content['application/json']
  const sample = media && (sampleOf(document, media)?.value ?? changeOf(document, media))
  return [
    'curl',
    ...(method === 'get' || (method === 'post' && media) ? [] : [`-X ${method.toUpperCase()}`]),
    ...(mustSignIn(operation) ? ["-H 'Authorization: Token YOUR_TOKEN'"] : []),
    ...(media ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(sample))}`] : []),
    quoted(`${document.servers[0]!.url}${address}`),
  ].join(' ')
}

/** An example of a change: the first member of the example body. */
function changeOf({ components }: Document, { schema }: Media): object {
  const whole = nameIn(schema['$ref'] ?? '').replace(/-change$/, '-body')
  const first = Object.entries(components.examples?.[whole]?.value ?? {})[0]
  return first ? { [first[0]]: first[1] } : {}
}

/** The path with a collection of the page, and the id of its example record, if there is one. */
function pathFor({ components, tags }: Document, path: string, parameters: readonly Parameter[]): string {
  const among: readonly string[] = parameters.find(({ name }) => name === 'collection')?.schema['enum'] ?? []
  const named = path.replace('{collection}', tags.find(({ name }) => among.includes(name))?.name ?? among[0] ?? '')
  const [, collection = ''] = /^\/api\/([a-z-]+)\//.exec(named) ?? []
  const record = components.examples?.[collection]?.value ?? {}
  const id = Object.entries(record).findLast(([member]) => member.endsWith('_id'))?.[1]
  return named.replace('{id}', String(id ?? 1))
}

/** The required parameters, and a short page for lists. */
function queryOf(parameters: readonly Parameter[]): string {
  const needed = parameters.filter((each) => each.in === 'query' && each.required)
  const pairs = needed.map(({ name, schema }) => `${name}=${oneOf(schema['items'] ?? schema) ?? 'VALUE'}`)
  const short = parameters.some(({ name }) => name === 'page_size') ? ['page_size=2'] : []
  const all = [...pairs, ...short]
  return all.length > 0 ? `?${all.join('&')}` : ''
}

function oneOf(schema: Parameter['schema']): string | undefined {
  return schema['enum']?.[0] ?? schema['examples']?.[0]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

interface Sample {
  readonly summary?: string
  readonly value?: unknown
}

/** The example of the successful answer. */
export function exampleOf(document: Document, { responses }: Operation): Sample | undefined {
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const media = good && resolve(document, good).content?.['application/json']
  return media && sampleOf(document, media)
}

export function sampleOf(document: Document, { example, examples }: Media): Sample | undefined {
  const first = Object.values(examples ?? {})[0]
  if (first) return resolve<Sample>(document, first)
  return example === undefined ? undefined : { value: example }
}
