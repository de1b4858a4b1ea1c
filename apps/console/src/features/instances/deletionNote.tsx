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

/** The VPCs of the projects of instances, each with those of its project. */
async function vpcsOf<R extends { id: string }>(rows: readonly R[], projectOf: (row: R) => string) {
  const ofProjects = [...Map.groupBy(rows, projectOf)].map(async ([project, some]) => {
    const ids = some.map(({ id }) => id)
    return (await load(vpcsQuery(project))).map(({ name }) => ({ vpc: { project, vpc: name }, ids }))
  })
  return (await Promise.all(ofProjects)).flat()
}

/** A note for the question before instances are deleted. Throws ApiError. */
export async function deletionNote<R extends { id: string }>(
  rows: readonly R[],
  projectOf: (row: R) => string,
) {
  const vpcs = await vpcsOf(rows, projectOf)
  const requests = vpcs
    .slice(0, most)
    .map(({ vpc, ids }) =>
      limit(async (): Promise<[VpcTarget, Losses]> => [
        vpc,
        await lossesOf(vpc, { type: 'delete_instances', ids }),
      ]),
    )
  const found = await Promise.all(requests)
  return (
    <>
      {vpcs.length > most && <p>What it does to rules and routes is shown for {most} VPCs only.</p>}
      {found.map(([vpc, losses]) => (
        <Fragment key={`${vpc.project} ${vpc.vpc}`}>
          <ReferencesOf losses={losses} vpc={vpc} />
          <LossesOf losses={losses} />
        </Fragment>
      ))}
    </>
  )
}
