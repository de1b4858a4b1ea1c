import type { accessExplain } from '@purlin/contract/operations/access/access'
import type { Result } from '@purlin/contract/op'
import type { Role } from '@purlin/contract/rules/roles'
import type { Level } from '../effectiveRole.ts'

type Explanation = Result<typeof accessExplain>
export type Path = Explanation['items'][number]['paths'][number]

/** One way in which someone comes to a role. */
export interface PathRow {
  key: string
  level: Level
  /** The resource of the role: 'telemetry', 'the silo engineering', 'the fleet' */
  on: string
  role: Role
  /** Only the first way to a role says what it is on. */
  isFirst: boolean
  words: string
  group: { id: string; displayName: string } | null
  expires: Date | null
}

const placeWords = (level: Level, name: string | null): string => {
  if (level === 'fleet') return 'Fleet'
  return `${level === 'silo' ? 'Silo' : 'Project'} ${name ?? ''}`.trim()
}

/** 'assigned here', 'collaborator of the silo engineering, inherited' */
export function pathWords({ level, resourceName, roleName, through }: Path): string {
  if (through === 'assigned') return `${roleName}, assigned here`
  const from = `${roleName} of the ${level}${resourceName === null ? '' : ` ${resourceName}`}`
  return `${from}, ${through === 'inherited' ? 'which projects inherit' : 'to which the silo gives this role'}`
}

/** A row for each way to each role. */
export const pathRows = ({ items }: Pick<Explanation, 'items'>): PathRow[] =>
  items.flatMap(({ level, resourceId, resourceName, role, paths }) =>
    paths.map((path, i) => ({
      key: `${level} ${resourceId} ${i}`,
      level,
      on: placeWords(level, resourceName),
      role,
      isFirst: i === 0,
      words: pathWords(path),
      group: path.group ?? null,
      expires: path.timeExpires ?? null,
    })),
  )
