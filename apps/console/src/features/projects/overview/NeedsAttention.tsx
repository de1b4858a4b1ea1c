import { pageOf } from '#/resource/address/pageOf.ts'
import { kinds } from '#/resource/kinds.ts'
import { toneOfState } from '#/resource/list/StateBadge.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { LinesCard } from '#/ui/layout/LinesCard.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { kindOf, type Failure } from './overview.ts'

/** The resources of a project that have failed, its schedules that fail, and why. */
export function NeedsAttention({
  project,
  failures,
}: {
  project: string
  failures: readonly Failure[] | undefined
}) {
  return (
    <LinesCard
      title="Needs attention"
      items={failures}
      keyOf={({ id, state }) => `${id} ${state}`}
      line={(failure) => <FailureLine project={project} failure={failure} />}
      none="Nothing is wrong. No resource of this project has failed."
      isGood
    />
  )
}

function FailureLine({ project, failure }: { project: string; failure: Failure }) {
  const kind = kindOf(failure.kind) ?? kinds.instance
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="text-secondary">{kind.noun}</span>
      <TextLink href={pageOf(kind.name, { project, name: failure.name })}>{failure.name}</TextLink>
      <Badge tone={toneOfState(failure.state)} dot>
        {failure.state}
      </Badge>
      <span className="min-w-0 text-secondary wrap-anywhere">{failure.message}</span>
    </div>
  )
}
