/** The effects of deleting instances on their networks. */
import { Fragment } from 'react'
import { load } from '#/api/query.ts'
import { LossesOf, lossesOf, type Losses } from '#/features/network-losses/losses.tsx'
import { ReferencesOf } from '#/features/network-losses/references.tsx'
import { vpcsQuery } from '#/features/vpc-names/queries.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { createSemaphore } from '@purlin/contract/semaphore'

// VPCs that are asked what the deletion does there, and requests under way at a time.
const most = 20
const limit = createSemaphore({ running: 4 })

/** A note for the question before instances of a project are deleted. Throws ApiError. */
export async function deletionNote(project: string, rows: readonly { id: string }[]) {
  const ids = rows.map(({ id }) => id)
  const vpcs = await load(vpcsQuery(project))
  const requests = vpcs.slice(0, most).map(({ name }) =>
    limit(async (): Promise<[VpcTarget, Losses]> => {
      const vpc = { project, vpc: name }
      return [vpc, await lossesOf(vpc, { type: 'delete_instances', ids })]
    }),
  )
  const found = await Promise.all(requests)
  return (
    <>
      <p>Attached disks are detached, not deleted.</p>
      {vpcs.length > most && <p>What it does to rules and routes is shown for {most} VPCs only.</p>}
      {found.map(([vpc, losses]) => (
        <Fragment key={vpc.vpc}>
          <ReferencesOf losses={losses} vpc={vpc} />
          <LossesOf losses={losses} />
        </Fragment>
      ))}
    </>
  )
}
