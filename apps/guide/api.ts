/** The pages about the API: the operations of the OpenAPI document by their tags, and its schemas. */

/** The parts of an OpenAPI 3.0 document that are read. */
export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, JsonSchema> }
}
interface OpenApiOperation {
  tags: string[]
  summary: string
  description: string
  operationId: string
  'x-allow': unknown
  'x-also-needs'?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { description?: string; content?: Record<string, Content> }>
}
interface Content {
  schema: JsonSchema
}
interface Parameter {
  in: string
  name: string
  required?: boolean
  description: string
  schema: JsonSchema
}
interface JsonSchema {
  $ref?: string
  type?: string
  format?: string
  enum?: unknown[]
  description?: string
  nullable?: boolean
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  allOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  additionalProperties?: JsonSchema
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

/** A request that a test has sent to an operation, and the status of its answer. */
export interface Example {
  method: string
  url: string
  body?: unknown
  status: number
  /** The answer to a caller who may not do it: the role, the status and the body. */
  refusal?: string
}
export type Examples = Readonly<Record<string, Example>>

interface Row {
  name: string
  /** HTML */
  type: string
  about: string
  isRequired: boolean
}
interface ApiOperation {
  id: string
  summary: string
  description: string
  method: string
  path: string
  needs: string
  tables: { id: string; name: string; rows: Row[] }[]
  /** HTML */
  answer: string
  example: string | undefined
}
interface ApiSchema {
  name: string
  /** HTML */
  note: string
  rows: Row[]
}
/** A page: the operations of a tag, or all schemas. */
export interface ApiPage {
  /** of the file and in its address */
  name: string
  title: string
  about: string
  ops: ApiOperation[]
  schemas: ApiSchema[]
}

const schemasPage = 'schemas'
const pagePath = (name: string) => `/docs/api/${name}`

/** The page of an operation; undefined if there is none. */
export const pageOfOperation = (pages: readonly ApiPage[], id: string): string | undefined => {
  const page = pages.find(({ ops }) => ops.some((op) => op.id === id))
  return page && pagePath(page.name)
}

/** The pages of a document, in the order of their titles, and the one of the schemas. */
export function apiPages({ paths, components: { schemas } }: OpenApi, examples: Examples): ApiPage[] {
  const byTag = new Map<string, ApiOperation[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = ''] = operation.tags
      const made = operationOf(operation, { path, method: method.toUpperCase(), schemas, examples })
      byTag.set(tag, [...(byTag.get(tag) ?? []), made])
    }
  }
  const pages = [...byTag]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, ops]) => ({
      name: tag.replaceAll('/', '-'),
      title: `API: ${tag.replaceAll('/', ', ').replaceAll('-', ' ')}`,
      about: `${ops.length} operations.`,
      ops,
      schemas: [],
    }))
  const all = Object.entries(schemas).map(([name, schema]) => ({
    name,
    note: schema.properties ? '' : typeOf(schema),
    rows: rowsOf(schema),
  }))
  return [
    ...pages,
    {
      name: schemasPage,
      title: 'API: schemas',
      about: 'The types of requests and answers.',
      ops: [],
      schemas: all,
    },
  ]
}

interface Place {
  path: string
  method: string
  schemas: Record<string, JsonSchema>
  examples: Examples
}

function operationOf(operation: OpenApiOperation, { path, method, schemas, examples }: Place): ApiOperation {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = operation
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const isJson = bodyType === 'application/json'
  const parameterRows = parameters.map((one) => ({
    name: one.name,
    type: `${typeOf(one.schema)} in the ${one.in}`,
    about: one.description,
    isRequired: one.required ?? false,
  }))
  const bodyRows = body && isJson ? rowsOf(resolved(body.schema, schemas)) : []
  const bodyRow =
    body && bodyRows.length === 0
      ? [{ name: bodyType ?? '', type: typeOf(body.schema), about: '', isRequired: true }]
      : bodyRows
  const tables = [
    { id: 'parameters', name: 'Parameters', rows: parameterRows },
    { id: 'body', name: 'Body', rows: bodyRow },
  ]
  const example = examples[id]
  return {
    id,
    summary,
    description,
    method,
    path,
    needs: needsOf(operation),
    tables: tables.filter(({ rows }) => rows.length > 0),
    answer: answerOf(responses),
    example: example && exampleOf(example),
  }
}

function needsOf({ 'x-allow': allow, 'x-also-needs': also }: OpenApiOperation): string {
  const words = (Array.isArray(allow) ? allow : [allow]).map((one) => roleText(String(one)))
  return words.join(' or ') + (also === undefined ? '' : `, and ${roleText(also)}`)
}

/** `project.collaborator` → `the role collaborator on the project` */
function roleText(allow: string): string {
  const [level, role] = allow.split('.')
  if (role !== undefined) return `the role ${role} on the ${level ?? ''}`
  return { anyone: 'nothing', public: 'nothing', user: 'a session or an access token' }[allow] ?? allow
}

function answerOf(responses: OpenApiOperation['responses']): string {
  const [status = '', { description = '', content = {} } = {}] = Object.entries(responses)[0] ?? []
  if (status === 'default') return 'an open WebSocket.'
  const [type, { schema } = {}] = Object.entries(content)[0] ?? []
  if (type === undefined || schema === undefined) return `${status}, ${escaped(description)}.`
  return `${status} with ${typeOf(schema)}${type === 'application/json' ? '' : ` (${escaped(type)})`}.`
}

/** The request as `curl` sends it, the status of the answer, and a refusal. */
export function exampleOf({ method, url, body, status, refusal }: Example): string {
  const answers = `# ${status}${refusal === undefined ? '' : `\n# ${refusal}`}`
  const line = `curl -X ${method} "$PURLIN${url}" -H "Authorization: Bearer $TOKEN"`
  if (body === undefined) return `${line}\n${answers}`
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  const type = typeof body === 'string' ? '' : ` \\\n  -H 'Content-Type: application/json'`
  return `${line}${type} \\\n  -d '${text.replaceAll("'", String.raw`'\''`)}'\n${answers}`
}

/** The schema that a reference leads to. */
function resolved(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const name = nameOf(schema)
  const found = name === undefined ? undefined : schemas[name]
  return found ? resolved(found, schemas) : schema
}

const nameOf = ({ $ref, allOf }: JsonSchema): string | undefined =>
  ($ref ?? allOf?.[0]?.$ref)?.replace('#/components/schemas/', '')

function rowsOf({ properties = {}, required = [], oneOf }: JsonSchema): Row[] {
  const own = Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeOf(field),
    about: field.description ?? '',
    isRequired: required.includes(name),
  }))
  // Variants of a union may have the same fields; each is listed once.
  const variants = (oneOf ?? []).flatMap(rowsOf).map((row) => ({ ...row, isRequired: false }))
  const once = new Map([...variants.toReversed(), ...own].map((row) => [`${row.name} ${row.type}`, row]))
  return [...once.values()]
}

/** The type in words, as HTML with links to schemas. */
function typeOf(schema: JsonSchema): string {
  const name = nameOf(schema)
  const or = schema.nullable ? ' or null' : ''
  if (name !== undefined) return `<a href="${pagePath(schemasPage)}#${name}">${name}</a>${or}`
  if (schema.enum) return schema.enum.map((one) => `<code>${escaped(String(one))}</code>`).join(', ') + or
  if (schema.oneOf)
    return schema.oneOf.length === 1
      ? typeOf(schema.oneOf[0]!) + or
      : `one of ${schema.oneOf.length} variants${or}`
  if (schema.items) return `list of ${typeOf(schema.items)}${bounds(schema)}${or}`
  if (schema.additionalProperties) return `map to ${typeOf(schema.additionalProperties)}${or}`
  return `${escaped(schema.format ?? schema.type ?? 'any value')}${bounds(schema)}${or}`
}

function bounds({ minimum, maximum, maxLength, maxItems }: JsonSchema): string {
  if (maxLength !== undefined) return `, at most ${maxLength} characters`
  if (maxItems !== undefined) return `, at most ${maxItems}`
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, at least ${minimum}`
  return maximum === undefined ? '' : `, at most ${maximum}`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
