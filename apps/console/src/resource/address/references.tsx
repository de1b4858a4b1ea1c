/** Resources that others refer to by id: their names as links. */
import { instanceSnapshotView } from '@purlin/contract/operations/storage/instance-snapshots'
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '#/api/query.ts'
import { capitalize } from '#/lib/text.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { CutText } from '#/ui/table/CutText.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import type { Kind } from '../kind.ts'
import { kinds } from '../kinds.ts'
import { pageOf } from './pageOf.ts'
import { nameQuery, nameStaleMs, type Named, type ReferredKind } from '../form/names.ts'
import { networks } from '../networks.ts'

const referred = {
  disk: kinds.disk,
  snapshot: kinds.snapshot,
  image: kinds.image,
  instance: kinds.instance,
  schedule: kinds.schedule,
  vpc: kinds.vpc,
  vpcSubnet: networks.vpcSubnet,
  instanceSnapshot: {
    ...contractKinds.instanceSnapshot,
    name: 'instanceSnapshot',
    view: instanceSnapshotView,
  },
} satisfies Record<string, ReferredKind>
type ReferredName = keyof typeof referred

const hasScreens = (kind: ReferredKind | Kind): kind is Kind & ReferredKind => 'section' in kind

/** The name of a resource as far as it has been read. */
export const knownName = (to: ReferredName, id: string): string | undefined =>
  queryClient.getQueryData(nameQuery(referred[to], id).queryKey)?.name

export interface ReferenceProps {
  to: ReferredName
  /** Nothing is referred to without one. */
  id: string | null | undefined
  /** The project of the resource that refers to it. */
  project: string
  /** The badge of a deleted resource: 'Image deleted'. */
  deleted?: string
  /** A name only: panels do not lead to further panels. */
  plain?: boolean
  /** In the cell of a table, where a long name is cut. */
  inCell?: boolean
  /** Where the name leads, if not to the page of the resource. */
  hrefOf?: (name: string) => string
}

/**
 * The name of a resource as a link to it; a badge if it is deleted, a dash if there is none or it cannot be read. Of a
 * kind without screens it is the name alone, or the id.
 */
export function Reference({ id, ...props }: ReferenceProps) {
  return id ? <ReferenceTo id={id} {...props} /> : <Dash />
}

function ReferenceTo({
  to,
  id,
  project,
  deleted,
  plain = false,
  inCell = false,
  ...link
}: ReferenceProps & { id: string }) {
  const kind: ReferredKind = referred[to]
  const { data, isPending } = useQuery({
    ...nameQuery(kind, id),
    staleTime: nameStaleMs,
    throwOnError: false,
  })
  if (data) {
    const name = <Name kind={kind} resource={data} project={project} plain={plain} link={link} />
    return inCell ? <CutText text={data.name}>{name}</CutText> : name
  }
  if (isPending) return <Skeleton className="h-2.5 w-24 align-middle" />
  if (!hasScreens(kind)) return <Truncate text={id} max={14} at="middle" className="mono" />
  return data === null ? <Badge>{deleted ?? `${capitalize(kind.noun)} deleted`}</Badge> : <Dash />
}

interface NameProps {
  kind: ReferredKind
  resource: Named
  project: string
  plain: boolean
  link: Pick<ReferenceProps, 'hrefOf'>
}

function Name({ kind, resource, project, plain, link }: NameProps) {
  const { name } = resource
  // An image may have been given to another project or to the silo; its page is there.
  const home = kind.name === 'image' ? resource.project : project
  if (!hasScreens(kind) && (plain || !link.hrefOf)) return <Truncate text={name} />
  if (plain || home === null) return name
  const href =
    link.hrefOf?.(name) ?? (hasScreens(kind) ? pageOf(kind.name, { project: home, name }) : undefined)
  return href === undefined ? name : <TextLink href={href}>{name}</TextLink>
}
