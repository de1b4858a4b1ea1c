/** Answers about access, in words. */
import type {
  accessExplain,
  accessOperationList,
  accessWhoCan,
} from '@purlin/contract/operations/access/access'
import type { Result } from '@purlin/contract/op'
import { pathWords, type Path } from '#/features/access/roles/roleRows.ts'

export type Explanation = Result<typeof accessExplain>
export type Holders = Result<typeof accessWhoCan>
export type Operation = Result<typeof accessOperationList>['items'][number]
type Without = NonNullable<Holders['withoutRole']>

/** Callers who need no role. */
export const withoutRoleWords: Record<Without, string> = {
  everyone: 'Anyone can do this, even without signing in.',
  users: 'Every user can do this. It takes no role.',
  users_of_silo: 'Every user of the silo can do this. It takes no role.',
  user_itself: 'Users can do this for themselves. It takes no role.',
}

const without: Record<string, string> = {
  public: 'nothing',
  user: 'to be signed in',
  self: 'to be the user that it is about',
  'silo.user': 'to be a user of the silo',
  'silo.member': 'any role on the silo or on one of its projects',
}

/** 'the collaborator role on the project, or the admin role on the fleet' */
export const neededWords = ({ allow }: Pick<Operation, 'allow'>): string =>
  allow
    .map((word) => {
      const [level, role] = word.split('.')
      return without[word] ?? `the ${role} role on the ${level}`
    })
    .join(', or ')

type Key = NonNullable<Explanation['keys']>[number]

const keyLimits: Record<NonNullable<Key['refusedBy']>, string> = {
  read_only: 'it only reads',
  project: 'it is for another project only',
  key: 'keys make no credentials',
}

/** Why keys of a service account do not do what its roles allow: a sentence for each of these keys. */
export const keyWords = ({ keys }: Pick<Explanation, 'keys'>): string[] =>
  (keys ?? []).flatMap(({ name, projectName, refusedBy }) => {
    if (refusedBy == null) return []
    const isNamed = refusedBy === 'project' && projectName !== null
    return [
      `Not with the key ${name}: ${isNamed ? `it is for the project ${projectName} only` : keyLimits[refusedBy]}.`,
    ]
  })

/** One way in which someone comes to do it. */
export interface HolderRow {
  key: string
  id: string
  name: string
  siloId: string
  /** Only the first way of a person says who it is. */
  isFirst: boolean
  words: string
  group: Path['group']
  expires: Date | null
}

/** A row for each way of each person; one for those who need none. */
export const holderRows = ({ items }: Pick<Holders, 'items'>): HolderRow[] =>
  items.flatMap(({ id, displayName: name, siloId, paths }) => {
    const ways = paths.map((path) => ({
      words: placeOfPath(path),
      group: path.group ?? null,
      expires: path.timeExpires ?? null,
    }))
    const none = { words: 'needs no role', group: null, expires: null }
    return (ways.length > 0 ? ways : [none]).map((way, i) => ({
      key: `${id} ${i}`,
      id,
      name,
      siloId,
      isFirst: i === 0,
      ...way,
    }))
  })

/** 'admin, assigned on the project telemetry' */
const placeOfPath = (path: Path): string =>
  path.through === 'assigned'
    ? `${path.roleName}, assigned on the ${path.level}${path.resourceName === null ? '' : ` ${path.resourceName}`}`
    : pathWords(path)
