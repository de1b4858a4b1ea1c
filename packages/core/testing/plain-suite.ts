/**
 * The rules of every plain resource: selectors, paging, taken names, the audit log. Rows without names are found by id.
 * For those in a project also parents and roles; the access matrix has the roles on the others.
 */
import { operations, type OperationName } from '@purlin/contract/operations'
import { plainName, type PlainKind, type Verb } from '@purlin/contract/operations/plain'
import type { OpShape } from '@purlin/contract/op'
import { hasNames, isInProject, kindNames, kinds } from '@purlin/contract/rules/kinds'
import { bare } from '@purlin/contract/schema'
import { isUuid } from '@purlin/contract/rules/names'
import { snake } from '@purlin/contract/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { adminOf, bodyOf } from './requests.ts'
import { projectRead, projectWrite, type Caller } from './roles.ts'
import { disorder, dump } from './state.ts'
import { openWorld, type RawResponse, type TestWorld } from './world.ts'

type Query = Record<string, string>

export interface PlainResource {
  /** Makes what its bodies refer to, in the projects `demo` and `second`. */
  prepare?: (world: TestWorld) => Promise<unknown>
  /** The selector of its parent in a request, and another parent of the same kind, if requests name any. */
  parents?: [Query, Query]
  /** A body on the wire that makes one, if not that of the sweep; names and descriptions are added. */
  body?: (world: TestWorld, name: string) => object
  /** Fields that an update requires in addition to the changed ones. */
  update?: object
  /** These fields in answers; the same unless given. */
  updated?: object
  /** Fields of answers that follow the name. */
  ofName?: (name: string) => object
  /** Deletes what prevents the deletion of one that was just made. */
  empty?: (world: TestWorld, id: string) => Promise<unknown>
}

/** The parent in requests that name none. */
const none: Query = {}
const unknownId = '7f3a9e2c-0000-4000-8000-000000000000'
const nameOf = (kind: PlainKind, verb: Verb) => plainName(kind, verb) as OperationName
const opOf = (kind: PlainKind, verb: Verb): OpShape | undefined => operations[nameOf(kind, verb)]

/** The kinds whose resources have a scope only, and that their plain operation creates. */
export const createdKinds = kindNames.filter((kind) => {
  const create = opOf(kind, 'Create')
  return create !== undefined && create.orSilo !== true
})

/** The requests on a resource, as a caller with all permissions unless another is given. */
function requestsOf(
  world: TestWorld,
  kind: PlainKind,
  {
    as,
    body,
    update: needed,
    parents,
    empty,
  }: PlainResource & Required<Pick<PlainResource, 'parents' | 'empty'>> & { as: Caller },
) {
  const [parent] = parents
  // In a project, an id is given without parents.
  const ofId = isInProject(kind) ? {} : parent
  const field = snake(kinds[kind].field)
  const send = async (
    verb: Verb,
    ref: string | null,
    { query = {}, json, caller = as }: { query?: Query; json?: object; caller?: Caller },
  ): Promise<RawResponse> => {
    const op = opOf(kind, verb)
    if (!op) throw new Error(`no ${verb} of ${kind}`)
    const path = op.path.replace(`{${field}}`, ref ?? '')
    return world.raw({
      method: op.method,
      url: `${path}?${new URLSearchParams(query).toString()}`,
      ...(caller === 'anonymous' ? {} : { who: caller }),
      ...(json ? { body: JSON.stringify(json) } : {}),
    })
  }
  const requests = {
    create: (name: string, more: { query?: Query; caller?: Caller; description?: string } = {}) => {
      const { query = parent, description = '', ...by } = more
      const own = body ? body(world, name) : bodyOf(world, nameOf(kind, 'Create'))
      const json = hasNames(kind) ? { ...(own as object), name, description } : (own as object)
      return send('Create', null, { query, ...(opOf(kind, 'Create')?.body && { json }), ...by })
    },
    list: (query: Query = parent, caller?: Caller) =>
      send('List', null, { query, ...(caller && { caller }) }),
    /** The ids in the list. */
    ids: async (query: Query = parent) => {
      const { json } = await requests.list(query)
      const rows: { id: string }[] = Array.isArray(json) ? json : (json as { items: [] }).items
      return rows.map(({ id }) => id)
    },
    view: (ref: string, query: Query = parent, caller?: Caller) =>
      send('View', ref, { query, ...(caller && { caller }) }),
    update: (ref: string, json: object, caller?: Caller) => {
      const query = isUuid(ref) ? ofId : parent
      return send('Update', ref, { query, json: { ...needed, ...json }, ...(caller && { caller }) })
    },
    remove: async (id: string, caller?: Caller) => {
      await empty(world, id)
      return send('Delete', id, { query: ofId, ...(caller && { caller }) })
    },
    /** Makes one and returns it. */
    made: async (name: string, query: Query = parent) => {
      const { status, json } = await requests.create(name, { query })
      expect(status, JSON.stringify(json)).toBe(201)
      return json as { id: string; name?: string }
    },
  }
  return requests
}

/** Each caller's result: `ok`, or the status of the error. */
async function answersOf(ask: (caller: Caller) => Promise<RawResponse>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const caller of Object.keys(projectRead) as Caller[]) {
    const { status } = await ask(caller)
    found[caller] = status < 300 ? 'ok' : status
  }
  return found
}

/** Defines a test if the rule applies. */
const testIf = (applies: boolean): ((rule: string, test: () => Promise<void>) => void) =>
  applies ? it : () => undefined

const hasField = (schema: OpShape['body'], key: string): boolean => {
  const node = schema && bare(schema.node)
  return node?.kind === 'object' && node.fields.some((field) => field.key === key)
}
/** True if an update can change the field. */
const canChange = (kind: PlainKind, key: string) => hasField(opOf(kind, 'Update')?.body, key)
const isPaged = (kind: PlainKind) => hasField(opOf(kind, 'List')?.query, 'limit')

/** Runs the rules of plain resources for one kind. */
export function plainSuite(kind: PlainKind, resource: PlainResource = {}): void {
  const { type, noun } = kinds[kind]
  const field = kinds[kind].field
  const word = /[A-Z]/.test(field) ? noun : field
  const inProject = isInProject(kind)
  const parents: [Query, Query] =
    resource.parents ?? (inProject ? [{ project: 'demo' }, { project: 'second' }] : [none, none])
  const [parent, second] = parents
  const has = (verb: Verb) => opOf(kind, verb) !== undefined
  const [hasView, hasUpdate, hasDelete] = [has('View'), has('Update'), has('Delete')]
  const hasName = hasNames(kind)
  const ofId: Query = inProject ? {} : parent
  const parentField = Object.keys(parent).at(-1) ?? ''
  const parentType = kinds[kinds[kind].parent ?? kind].type
  const nothing = () => Promise.resolve()
  const all = {
    as: inProject ? ('collaborator' as const) : adminOf(kind),
    prepare: nothing,
    empty: nothing,
    ...resource,
    parents,
  }

  describe(`${kind}: rules of every plain resource`, () => {
    let world: TestWorld
    let of: ReturnType<typeof requestsOf>
    beforeEach(async () => {
      world = await openWorld()
      if (inProject) await world.as('admin').projectCreate({ body: { name: 'second', description: '' } })
      await all.prepare(world)
      of = requestsOf(world, kind, all)
    })
    afterEach(async () => {
      await world.settle()
      expect(world.errors).toEqual([])
      expect(await disorder(world)).toEqual([])
      await world.close()
    })
    /** An error that leaves the database unchanged. */
    async function expectError(
      attempt: () => Promise<RawResponse>,
      status: number,
      body: object,
    ): Promise<void> {
      const before = await dump(world)
      const answer = await attempt()
      expect([answer.status, answer.json]).toMatchObject([status, body])
      expect(await dump(world)).toEqual(before)
    }
    /** The names of a resource before and after, in the entries of an operation. */
    async function recorded(verb: Verb, id: string): Promise<object[]> {
      const query = { startTime: new Date(0), operation: snake(nameOf(kind, verb)) }
      const { items } = await world.as('fleetAdmin').auditLogList({ query })
      return items.flatMap(({ objects }) =>
        (objects ?? [])
          .filter((one) => one.id === id)
          .map(({ nameBefore: before, nameAfter: after }) => ({ before, after })),
      )
    }
    const changes = () =>
      canChange(kind, 'description')
        ? { description: 'changed' }
        : (bodyOf(world, nameOf(kind, 'Update')) as object)
    const taken = (name: string) => ({
      error_code: 'ObjectAlreadyExists',
      message: `already exists: ${type} "${name}"`,
    })
    const unknown = (name: string) => ({ message: `not found: ${type} with name "${name}"` })

    if (!hasName) unnamedRules()
    function unnamedRules(): void {
      it('is created with 201 and shown by id in either case', async () => {
        const { status, json } = await of.create('')
        expect(status, JSON.stringify(json)).toBe(201)
        const { id } = json as { id: string }
        expect(await of.ids()).toContain(id)
        if (!hasView) return
        for (const ref of [id, id.toUpperCase()]) {
          const { status: shown, json: found } = await of.view(ref, ofId)
          // A secret is in the answer to the create only.
          expect([shown, json]).toMatchObject([200, found as object])
        }
      })

      it('is in the list of its parent only, until it is deleted', async () => {
        const before = await of.ids(second)
        const { id } = await of.made('')
        if (second !== parent) expect(await of.ids(second)).toEqual(before)
        if (!hasDelete) return
        expect((await of.remove(id)).status).toBe(204)
        expect(await of.ids()).not.toContain(id)
        const gone = { message: `not found: ${type} with id "${id}"` }
        if (hasView) await expectError(() => of.view(id, ofId), 404, gone)
        await expectError(() => of.remove(id), 404, gone)
      })

      it('an unknown id is not found', async () => {
        const unknownOne = { message: `not found: ${type} with id "${unknownId}"` }
        if (hasView) await expectError(() => of.view(unknownId, ofId), 404, unknownOne)
        if (hasUpdate) await expectError(() => of.update(unknownId, changes()), 404, unknownOne)
        if (hasDelete) await expectError(() => of.remove(unknownId), 404, unknownOne)
      })
    }

    it('a create, an update and a delete are in the audit log with their object', async () => {
      const made = await of.made('made')
      const { id } = made
      // The log knows rows without a name by their ids.
      const name = made.name ?? id
      expect(await recorded('Create', id)).toEqual([{ before: null, after: name }])
      if (hasUpdate) {
        expect((await of.update(id, changes())).status).toBe(200)
        expect(await recorded('Update', id)).toEqual([{ before: name, after: name }])
      }
      if (!hasDelete) return
      expect((await of.remove(id)).status).toBe(204)
      expect(await recorded('Delete', id)).toEqual([{ before: name, after: null }])
    })

    testIf(hasName)('is created with 201 and shown by name, and by id in either case', async () => {
      const { status, json } = await of.create('made', { description: 'first' })
      expect(status).toBe(201)
      const now = new Date(world.clock.now()).toISOString()
      const { id } = json as { id: string }
      expect(json).toMatchObject({
        name: 'made',
        description: 'first',
        time_created: now,
        time_modified: now,
      })
      if (!hasView) return
      expect((await of.view('made')).json).toEqual(json)
      for (const ref of [id, id.toUpperCase()]) expect((await of.view(ref, ofId)).json).toEqual(json)
    })

    testIf(hasName)('a name is unique in its parent, not beyond it, and free after a delete', async () => {
      const { id } = await of.made('made')
      await expectError(() => of.create('made'), 400, taken('made'))
      if (inProject) await of.made('made', second)
      if (!hasDelete) return
      expect((await of.remove(id)).status).toBe(204)
      if (hasView) {
        await expectError(() => of.view('made'), 404, unknown('made'))
        await expectError(() => of.view(id, ofId), 404, { message: `not found: ${type} with id "${id}"` })
      }
      await of.made('made')
    })

    testIf(hasName)('a description has at most 512 characters', async () => {
      const long = { description: 'd'.repeat(513) }
      await expectError(() => of.create('made', long), 400, { error_code: 'InvalidValue' })
      expect((await of.create('made', { description: '😀'.repeat(512) })).status).toBe(201)
    })

    testIf(hasName && inProject && hasView)('a name goes with its parent, an id without', async () => {
      const { id } = await of.made('made')
      await expectError(() => of.view('made', {}), 400, {
        message: `${word} should either be UUID or ${parentField} should be specified`,
      })
      const fields = Object.keys(parent).toReversed()
      const above = fields.join(fields.length > 2 ? ', ' : ' and ').replace(/, (\w+)$/, ', and $1')
      await expectError(() => of.view(id), 400, {
        message: `when providing ${word} as an ID ${above} should not be specified`,
      })
      await expectError(() => of.view('none'), 404, unknown('none'))
      await expectError(() => of.view(unknownId, {}), 404, {
        message: `not found: ${type} with id "${unknownId}"`,
      })
    })

    testIf(inProject)('a parent must be named and exist', async () => {
      const missing = { message: `unable to parse query string: missing field \`${parentField}\`` }
      await expectError(() => of.create('made', { query: {} }), 400, missing)
      await expectError(() => of.list({}), 400, missing)
      const unknownParent = { ...parent, [parentField]: 'nowhere' }
      const notFound = { message: `not found: ${parentType} with name "nowhere"` }
      await expectError(() => of.create('made', { query: unknownParent }), 404, notFound)
      await expectError(() => of.list(unknownParent), 404, notFound)
      if (hasName && hasView) await expectError(() => of.view('made', unknownParent), 404, notFound)
    })

    testIf(hasName)('the list pages by name and stays in its parent', async () => {
      const names = async (query: Query) => {
        const { json } = await of.list(query)
        const { items, next_page: next } = json as { items: { name: string }[]; next_page: string | null }
        return { names: items.map(({ name }) => name), next: next ?? null }
      }
      const before = (await names(parent)).names
      for (const name of ['c', 'a', 'b']) await of.made(name)
      if (inProject) await of.made('elsewhere', second)
      const sorted = [...before, 'a', 'b', 'c'].toSorted()
      expect(await names(parent)).toEqual({ names: sorted, next: null })
      const first = await names({ ...parent, limit: '2' })
      expect(first.names).toEqual(sorted.slice(0, 2))
      const nextPage = await names({ ...parent, page_token: first.next ?? '' })
      expect(nextPage).toEqual({ names: sorted.slice(2), next: null })
      const down = await names({ ...parent, sort_by: 'name_descending' })
      expect(down.names).toEqual(sorted.toReversed())
    })

    testIf(isPaged(kind))('the list pages by id', async () => {
      for (const name of ['c', 'a', 'b']) await of.made(name)
      const ids: string[] = []
      for (let token: string | null = ''; token !== null;) {
        const more: Query = token === '' ? { sort_by: 'id_ascending' } : { page_token: token }
        const { json } = await of.list({ ...parent, limit: '2', ...more })
        const page = json as { items: { id: string }[]; next_page: string | null }
        ids.push(...page.items.map(({ id }) => id))
        token = page.next_page
      }
      expect(ids).toEqual((await of.ids()).toSorted())
    })

    testIf(inProject && hasView)('a caller who may not see the project gets 404', async () => {
      const { id } = await of.made('made')
      const noProject = { error_code: 'ObjectNotFound', message: 'not found: project with name "demo"' }
      for (const caller of ['noRole', 'stranger', 'fleetAdmin'] as const) {
        await expectError(() => of.create('no', { caller }), 404, noProject)
        await expectError(() => of.list(parent, caller), 404, noProject)
        if (hasName) await expectError(() => of.view('made', parent, caller), 404, noProject)
        await expectError(() => of.view(id, {}, caller), 404, {
          message: `not found: ${type} with id "${id}"`,
        })
      }
      for (const caller of ['viewer', 'projectViewer'] as const)
        await expectError(() => of.create('no', { caller }), 403, {
          error_code: 'Forbidden',
          message: 'Forbidden',
        })
    })

    testIf(hasView)('without a session the answer does not reveal what exists', async () => {
      const { id } = await of.made('made')
      for (const ref of hasName ? ['made', 'none'] : [])
        expect((await of.view(ref, parent, 'anonymous')).status).toBe(401)
      for (const ref of [id, unknownId]) expect((await of.view(ref, ofId, 'anonymous')).status).toBe(401)
    })

    testIf(inProject && hasView)('viewers of the project list and view', async () => {
      const { id } = await of.made('made')
      expect(await answersOf((caller) => of.list(parent, caller))).toEqual(projectRead)
      if (hasName) expect(await answersOf((caller) => of.view('made', parent, caller))).toEqual(projectRead)
      expect(await answersOf((caller) => of.view(id, {}, caller))).toEqual(projectRead)
    })

    testIf(inProject && hasDelete)('collaborators of the project create and delete', async () => {
      const name = (caller: Caller) => caller.toLowerCase()
      expect(await answersOf((caller) => of.create(name(caller), { caller }))).toEqual(projectWrite)
      const deleted = await answersOf(async (caller) => {
        const { id } = await of.made(`of-${name(caller)}`)
        return of.remove(id, caller)
      })
      expect(deleted).toEqual(projectWrite)
    })

    if (hasUpdate && canChange(kind, 'name')) identityRules()

    function identityRules(): void {
      it('an update changes name and description; absent or null fields stay', async () => {
        const made = await of.made('made')
        await world.advance(1000)
        const now = { time_modified: new Date(world.clock.now()).toISOString() }
        const described = {
          ...made,
          ...now,
          ...(resource.updated ?? resource.update),
          description: 'changed',
        }
        expect((await of.update('made', { name: null, description: 'changed' })).json).toEqual(described)
        expect((await of.update('made', {})).json).toEqual(described)
        const renamed = { ...described, name: 'renamed', ...resource.ofName?.('renamed') }
        expect((await of.update('made', { name: 'renamed' })).json).toEqual(renamed)
        expect((await of.view('renamed')).json).toEqual(renamed)
        await expectError(() => of.view('made'), 404, unknown('made'))
      })

      it('an update refuses a taken name and a long description, but not its own name', async () => {
        await of.made('made')
        await of.made('other')
        await expectError(() => of.update('made', { name: 'other' }), 400, taken('other'))
        await expectError(() => of.update('made', { description: 'd'.repeat(513) }), 400, {
          error_code: 'InvalidValue',
        })
        expect((await of.update('made', { name: 'made' })).status).toBe(200)
      })

      testIf(inProject)('collaborators of the project update', async () => {
        await of.made('made')
        const found = await answersOf((caller) => of.update('made', { description: caller }, caller))
        expect(found).toEqual(projectWrite)
      })
    }
  })
}
