import type { Args, Result } from '@purlin/contract/op'
import { vpcPreview } from '@purlin/contract/operations/vpcs/vpc-preview'
import { send } from '#/api/send.ts'
import type { Scope } from '#/lib/addresses.ts'

type Change = Args<typeof vpcPreview>['body']['change']
export type Preview = Result<typeof vpcPreview>
/** The effect of a change; undefined if it is unknown. */
export type Losses = Preview | undefined

/** The losses of running instances by a change; undefined if they are unknown. */
export const lossesOf = ({ project = '', vpc = '' }: Scope, change: Change) =>
  send(vpcPreview, { params: { vpc }, query: { project }, body: { change } }).catch(() => undefined)

const shown = 5

/** Names the running instances that would lose something, for the question before the change. */
export function LossesOf({ losses }: { losses: Losses }) {
  if (!losses) return <p>Could not determine the effect on running instances.</p>
  if (losses.totalInstances === 0) return null
  const { instances, totalInstances } = losses
  const more = totalInstances - Math.min(shown, instances.length)
  return (
    <>
      <p>Running instances that this affects:</p>
      <ul className="max-h-40 list-disc overflow-y-auto pl-5 text-ink">
        {instances.slice(0, shown).map(({ instanceId, name, text }) => (
          <li key={instanceId}>
            {name}: {text}
          </li>
        ))}
        {more > 0 && <li>{more} more</li>}
      </ul>
    </>
  )
}
