/** The field of a form that a refusal of the server is about. */
import { ApiError } from '@purlin/contract/client'
import { aboutOf, messages } from '@purlin/contract/rules/messages'
import { snake } from '@purlin/contract/wire'
import { missing, takenName } from '#/api/errors.ts'

/** The names that forms give a field besides that of requests or the type in errors, all as on the wire. */
const called: Record<string, readonly string[]> = {
  cpus: ['cpu_quota'],
  ncpus: ['cpus', 'preset'],
  memory: ['memory_gi_b', 'memory_quota', 'preset'],
  storage: ['storage_quota'],
  size: ['boot_size_gi_b'],
  address: ['ip'],
  address_lot: ['lot'],
  certificate: ['cert'],
  private_key: ['key'],
  ip_pool: ['pool'],
  vpc: ['vpc_name'],
  vpc_subnet: ['subnet_name', 'subnet'],
}

/** The fields that ask for what a quota limits. */
const asksFor: Record<string, string> = { vCPU: 'ncpus', Memory: 'memory', Storage: 'size' }

// A name in a message: "web" or 'web'.
const quotes = /"([^"]+)"|'([^']+)'/g

/** The field, of those that the form shows, each with its value. */
export function refusedField(error: unknown, shown: ReadonlyMap<string, unknown>): string | undefined {
  const subject = subjectOf(error)
  if (subject) {
    // Several fields may name such a resource: the one that names this.
    const byName = new Map([...shown.keys()].map((name) => [snake(name), name]))
    const fields = subject.names.flatMap((name) => byName.get(name) ?? [])
    return (
      fields.find((name) => shown.get(name) === subject.value) ?? fields[0] ?? withValue(subject.value, shown)
    )
  }
  if (!(error instanceof ApiError) || error.status >= 500) return undefined
  const quoted = [...error.message.matchAll(quotes)].map(([, double, single]) => double ?? single)
  return quoted.map((value) => withValue(value, shown)).find((name) => name !== undefined)
}

/** The only field with this value. */
function withValue(value: string | undefined, shown: ReadonlyMap<string, unknown>): string | undefined {
  if (value === undefined || value === '') return undefined
  const [first, ...others] = [...shown].filter(([, filled]) => filled === value)
  return others.length === 0 ? first?.[0] : undefined
}

/** The names that its field may have, the likeliest first, and its value, where the error says it. */
interface Subject {
  names: readonly string[]
  value?: string | undefined
}

function subjectOf(error: unknown): Subject | undefined {
  const taken = takenName(error)
  if (taken) return { names: taken.isOwn ? ['name'] : namesOf(taken.type), value: taken.name }
  const gone = missing(error)
  if (gone) return { names: namesOf(gone.type), value: gone.name }
  if (!(error instanceof ApiError)) return undefined
  if (messages.externalIpNotAvailable.read(error.message)) return { names: namesOf('address') }
  const limit = messages.limitExceeded.read(error.message)
  if (limit) return { names: namesOf(asksFor[limit.noun] ?? '') }
  const field = aboutOf(error.message).field ?? pathOf(error.message)
  return field === undefined ? undefined : { names: namesOf(field) }
}

/** The path in the message about a body: `disks[0].size` of 'unable to parse JSON body: disks[0].size: …'. */
function pathOf(message: string): string | undefined {
  const { reason } = messages.badBodyAt.read(message) ?? messages.badBody.read(message) ?? {}
  return reason === undefined ? undefined : /^([\w.[\]]+): /.exec(reason)?.[1]
}

/** From the end of a path to its beginning. */
const namesOf = (path: string): string[] =>
  path
    .split(/[.[\]]+/)
    .map((name) => name.replaceAll('-', '_'))
    .toReversed()
    .flatMap((name) => [name, ...(called[name] ?? [])])
