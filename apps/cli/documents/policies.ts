/** Policies in documents. They name users and groups where the caller may list them, and have ids otherwise. */
import { innerKeys } from '@purlin/contract/commands/documents'
import type { OperationName } from '@purlin/contract/operations'
import { limits } from '@purlin/contract/rules/limits'
import { CliError } from '../errors.ts'
import type { Row } from '../http/api.ts'
import { plainText } from '../output/json.ts'
import { paramsOf, type At, type Setting, type Source } from './section.ts'

interface PolicyOf {
  /** The beginning of its operations, and the path parameter of what it is about. */
  ops: string
  key: string | null
  /** The resource as the operations about access call it. */
  resource: (at: At) => string
  /** The silo of its users and groups. Unless given they are of the silo of the caller. */
  siloOf?: (at: At, identity: Row) => string
  /** Its entries name the silo of each user and group. */
  hasSilos?: boolean
}

/** A policy, whose operations have the path parameter of what it is about. */
export function policyOf({ ops, key, resource, siloOf, hasSilos = false }: PolicyOf): Setting {
  const op = (verb: string) => `${ops}${verb}` as OperationName
  const naming = (at: At, identity: Row): Naming => ({
    type: plainText(identity['identity_type']),
    name: plainText(identity['identity']),
    silo: siloOf?.(at, identity),
  })
  return {
    key: innerKeys.policy,
    noun: 'policy',
    async read(source, at) {
      const view = await source.api.call(op('View'), { params: paramsOf(key, at) })
      const known = await identitiesIn(source, resource(at))
      const named = (view['role_assignments'] as Row[]).map(async ({ identity_id: id, ...rest }) => {
        const found = known.get(id)
        const { identity_type, ...role } = rest
        if (!found) return { identity_type, identity_id: id, ...role }
        const silo = hasSilos ? { silo: found['silo_name'] } : {}
        const row = { identity_type, identity: found['display_name'], ...silo, ...role }
        return (await isAlone(source, naming(at, row))) ? row : { identity_type, identity_id: id, ...role }
      })
      return Promise.all(named)
    },
    async toStored(source, at, value) {
      if (!Array.isArray(value)) return value
      return Promise.all(
        (value as Row[]).map(async (row) => {
          const { identity, silo: _silo, ...rest } = row
          return identity === undefined ? row : { ...rest, identity_id: await idOf(source, naming(at, row)) }
        }),
      )
    },
    write: (api, at, value) =>
      api.call(op('Update'), { params: paramsOf(key, at), body: { role_assignments: value } }),
  }
}

/** The users and groups of a policy by id; none if the caller may not read their names. */
async function identitiesIn({ api }: Source, resource: string): Promise<Map<unknown, Row>> {
  const rows = await orNone(() => api.all('accessIdentityList', { query: { resource } }))
  return new Map(rows.map((row) => [row['identity_id'], row]))
}

async function orNone<T>(read: () => Promise<T[]>): Promise<T[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CliError && (error.kind === 'forbidden' || error.kind === 'notFound')) return []
    throw error
  }
}

/** A user or group by name. */
interface Naming {
  type: string
  name: string
  silo: string | undefined
}

const nouns: Readonly<Record<string, string>> = { silo_user: 'user', silo_group: 'group' }
const lists: Readonly<Record<string, { own: OperationName; ofSilo: OperationName }>> = {
  silo_user: { own: 'userList', ofSilo: 'siloUserList' },
  silo_group: { own: 'groupList', ofSilo: 'siloGroupList' },
}

const knownIds = new WeakMap<Source, Map<string, Promise<string[]>>>()

/** The ids of all users or groups with a name. They are read once. */
function idsOf(source: Source, { type, name, silo }: Naming): Promise<string[]> {
  const known = knownIds.get(source) ?? new Map<string, Promise<string[]>>()
  knownIds.set(source, known)
  const key = JSON.stringify([type, name, silo])
  const read = async () => {
    const list = lists[type]
    if (!list) return []
    const of = silo === undefined ? {} : { silo }
    const query = { ...of, find: name }
    const rows = await source.api.all(silo === undefined ? list.own : list.ofSilo, { query })
    return rows.filter((row) => row['display_name'] === name).map(({ id }) => String(id))
  }
  const ids = known.get(key) ?? read()
  known.set(key, ids)
  return ids
}

/** True if the name leads to one identity only. */
const isAlone = async (source: Source, naming: Naming): Promise<boolean> =>
  naming.name.length <= limits.find && (await orNone(() => idsOf(source, naming))).length === 1

async function idOf(source: Source, naming: Naming): Promise<string> {
  const [id, ...others] = await idsOf(source, naming)
  const { type, name, silo } = naming
  const what = `${nouns[type] ?? type} called ${name}${silo === undefined ? '' : ` in silo ${silo}`}`
  if (id === undefined) throw new CliError('usage', `a policy names a ${what}, which does not exist`)
  if (others.length > 0)
    throw new CliError('usage', `a policy names a ${what}, of which there are several: give identity_id`)
  return id
}
