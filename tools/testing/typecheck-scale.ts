/**
 * `node tools/testing/typecheck-scale.ts`: how much processor time the type check takes when the contract has
 * as many operations as the finished product, each with fields, unions and pages, a total map of
 * handlers and a call of the client. Fails over the limit.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../repo.ts'
import { run } from './run.ts'

const OPERATIONS = 279
const VERBS = ['list', 'view', 'create', 'update', 'delete', 'start', 'stop'] as const
/** seconds of user and system time */
const LIMIT = 30

// Not under node_modules: the compiler writes no declarations for what lies there.
const folder = join(root, '.cache/scale')
const contract = relative(folder, join(root, 'packages/contract'))

/** The names of a family's seven operations: `thing3List`, `thing3View`, … */
const nameOf = (index: number) => {
  const verb = VERBS[index % VERBS.length]!
  return `thing${Math.floor(index / VERBS.length)}${verb[0]!.toUpperCase()}${verb.slice(1)}`
}
const names = Array.from({ length: OPERATIONS }, (_, index) => nameOf(index))

/** The schemas of one family. No two families are alike, so that nothing is checked once for all. */
const schemasOf = (n: number) => `
const State${n} = ref('State${n}', union('state', {
  creating${n}: {}, running: { since: time() }, failed: { reason: text(), code${n}: integer() },
}))
const Source${n} = ref('Source${n}', union('type', {
  blank${n}: { blockSize: enumOf([512, 2048, 4096]) },
  copy: { sourceId: text(), tags: record(text(), most) },
  upload: { url: optional(text()), parts${n}: array(object({ offset: integer(), data: bytes(1024) }), most) },
}))
const Thing${n} = ref('Thing${n}', object({
  id: text(), name: text(), description: text(), timeCreated: time(), timeModified: time(),
  size${n}: integer(), state: State${n}, parentId: optional(nullable(text())), labels${n}: record(text(), most),
}))
const fields${n} = {
  name: text(), description: text(), size${n}: integer(), source: Source${n},
  start: defaulted(boolean(), () => true), weight: optional(integer()),
  addresses: array(object({ ip: text(), kind${n}: enumOf(['v4', 'v6']) }), most), note${n}: nullable(text()),
}
const path${n} = object({ thing${n}: text() })
const scope${n} = { project: optional(text()) }
const pageOf${n} = object({ items: array(Thing${n}, unlimited), nextPage: optional(nullable(text())) })`

const DEFINITIONS: Record<(typeof VERBS)[number], (n: number) => string> = {
  list: (n) =>
    `method: 'GET', path: '/v1/things${n}', allow: 'project.viewer', ok: 200, query: object({ ...scope${n}, limit: optional(integer()), pageToken: optional(text()) }), response: pageOf${n}`,
  view: (n) =>
    `method: 'GET', path: '/v1/things${n}/{thing${n}}', allow: 'project.viewer', ok: 200, params: path${n}, query: object(scope${n}), response: Thing${n}`,
  create: (n) =>
    `method: 'POST', path: '/v1/things${n}', allow: 'project.collaborator', ok: 201, query: object(scope${n}), body: object(fields${n}), response: Thing${n}`,
  update: (n) =>
    `method: 'PUT', path: '/v1/things${n}/{thing${n}}', allow: 'project.collaborator', ok: 200, params: path${n}, body: object({ ...fields${n}, size${n}: optional(integer()) }), response: Thing${n}`,
  delete: (n) =>
    `method: 'DELETE', path: '/v1/things${n}/{thing${n}}', allow: 'project.collaborator', ok: 204, params: path${n}, query: object(scope${n})`,
  start: (n) =>
    `method: 'POST', path: '/v1/things${n}/{thing${n}}/start', allow: 'project.collaborator', ok: 202, params: path${n}, body: object({ at${n}: optional(time()) }), response: Thing${n}`,
  stop: (n) =>
    `method: 'POST', path: '/v1/things${n}/{thing${n}}/stop', allow: ['silo.admin', 'fleet.admin'], ok: 202, params: path${n}, response: Thing${n}`,
}

const HANDLERS: Record<(typeof VERBS)[number], (n: number) => string> = {
  list: (n) => `async ({ query }) => ({ items: [thing${n}(query.pageToken ?? '')], nextPage: null })`,
  view: (n) => `async ({ params }) => thing${n}(params.thing${n})`,
  create: (n) =>
    `async ({ body }) => ({ ...thing${n}(body.name), size${n}: body.size${n} + (body.start ? 1 : 0) })`,
  update: (n) =>
    `async ({ params, body }) => ({ ...thing${n}(params.thing${n}), description: body.description })`,
  delete: () => `async () => undefined`,
  start: (n) =>
    `async ({ params, body }) => ({ ...thing${n}(params.thing${n}), timeModified: body.at${n} ?? new Date() })`,
  stop: (n) =>
    `async ({ params }) => ({ ...thing${n}(params.thing${n}), state: { state: 'failed', reason: '', code${n}: 1 } })`,
}

const BODY = (n: number) =>
  `{ name: 'a', description: '', size${n}: 1, source: { type: 'blank${n}', blockSize: 512 }, addresses: [], note${n}: null }`
const CALLS: Record<(typeof VERBS)[number], (n: number) => string> = {
  list: () => `({ query: { project: 'demo' } })).items.map((item) => item.name.length)`,
  view: (n) => `({ params: { thing${n}: 'a' }, query: {} })).size${n}.toFixed()`,
  create: (n) => `({ query: {}, body: ${BODY(n)} })).timeCreated.getTime()`,
  update: (n) => `({ params: { thing${n}: 'a' }, body: ${BODY(n)} })).labels${n}['x']`,
  delete: (n) => `({ params: { thing${n}: 'a' }, query: {} }))`,
  start: (n) => `({ params: { thing${n}: 'a' }, body: {} })).state.state`,
  stop: (n) => `({ params: { thing${n}: 'a' } })).parentId`,
}

const families = Array.from({ length: Math.ceil(OPERATIONS / VERBS.length) }, (_, n) => n)
const eachOperation = (table: Record<(typeof VERBS)[number], (n: number) => string>) =>
  names.map((name, i) => ({ name, text: table[VERBS[i % VERBS.length]!](Math.floor(i / VERBS.length)) }))

/** The table of operations, one module per family as in the contract. */
function family(n: number): string {
  const mine = eachOperation(DEFINITIONS).slice(n * VERBS.length, (n + 1) * VERBS.length)
  const schemas =
    'array, boolean, bytes, defaulted, enumOf, integer, nullable, object, optional, record, ref, string, time, union, unlimited'
  const ops = mine.map(
    ({ name, text }) => `export const ${name} = op({ ${text}, tag: 'things', summary: '${name}' })`,
  )
  return `import { op } from '${contract}/op.ts'
import { ${schemas} } from '${contract}/schema.ts'
const text = () => string({ maxLength: 255 })
const most = { count: 32, noun: 'things' }
${schemasOf(n)}
${ops.join('\n')}
`
}

function server(): string {
  const things = families.map(
    (n) => `const thing${n} = (name: string): Result<typeof operations.${nameOf(n * VERBS.length + 1)}> => ({
  id: '', name, description: '', timeCreated: new Date(), timeModified: new Date(), size${n}: 1,
  state: { state: 'creating${n}' }, labels${n}: {},
})`,
  )
  return `import type { Parsed, Result } from '${contract}/op.ts'
import { type Operations, operations } from './operations.ts'
type Handlers = { [K in keyof Operations]: (input: Parsed<Operations[K]>) => Promise<Result<Operations[K]>> }
${things.join('\n')}
export const handlers: Handlers = {
${eachOperation(HANDLERS)
  .map(({ name, text }) => `  ${name}: ${text},`)
  .join('\n')}
}
// @ts-expect-error the map is total: one handler alone is not enough
export const partial: Handlers = { thing0View: handlers.thing0View }
`
}

function client(): string {
  return `import { createClient } from '${contract}/client.ts'
import type { Transport } from '${contract}/http.ts'
import { operations } from './operations.ts'
export async function calls(transport: Transport): Promise<unknown[]> {
  const client = createClient(operations, transport)
  return [
${eachOperation(CALLS)
  .map(({ name, text }) => `    (await client.${name}${text},`)
  .join('\n')}
    // @ts-expect-error what a client passes is checked
    await client.thing0View({ params: { thing0: 1 }, query: {} }),
  ]
}
`
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const n of families) writeFileSync(join(folder, `family${n}.ts`), family(n))
writeFileSync(
  join(folder, 'operations.ts'),
  `${families.map((n) => `import * as family${n} from './family${n}.ts'`).join('\n')}
export const operations = { ${families.map((n) => `...family${n}`).join(', ')} }
export type Operations = typeof operations
`,
)
writeFileSync(join(folder, 'server.ts'), server())
writeFileSync(join(folder, 'client.ts'), client())
const options = {
  extends: relative(folder, join(root, 'tsconfig.base.json')),
  // Declarations are written, as in the real projects: inferred types have to be spelled out.
  compilerOptions: { composite: false, rootDir: relative(folder, root), outDir: 'out' },
  files: ['server.ts', 'client.ts'],
}
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))

const { code, output, cpuSeconds, seconds } = await run(['tsc', '-p', folder])
rmSync(folder, { recursive: true, force: true })
if (code !== 0) console.log(output.split('\n').slice(0, 20).join('\n'))
console.log(
  `${names.length} operations: CPU ${cpuSeconds.toFixed(1)} s of ${LIMIT} s, ${seconds.toFixed(1)} s by the clock`,
)
process.exitCode = code !== 0 || cpuSeconds > LIMIT ? 1 : 0
