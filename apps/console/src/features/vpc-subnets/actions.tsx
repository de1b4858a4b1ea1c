import { LossesOf, lossesOf } from '#/features/network-losses/losses.tsx'
import { ReferencesOf } from '#/features/network-losses/references.tsx'
import type { Scope } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { kinds } from '#/resource/kinds.ts'
import { InterfacesIn } from './InterfacesIn.tsx'
import { interfacesIn } from './queries.ts'

/** Actions on a subnet. */
export const subnetActions = (scope: Scope) =>
  plainActions(kinds.vpcSubnet, scope, {
    refusal: (row) => refusal(row, scope),
    note: ([row]) => row && deletionNote(row, scope),
  })

/** The interfaces that prevent the deletion. */
async function refusal({ id }: { id: string }, { project = '' }: Scope) {
  const inside = await interfacesIn(id)
  if (inside.interfaces.length === 0) return undefined
  return { reason: <InterfacesIn project={project} {...inside} /> }
}

/** The effects of the deletion on the rest of the VPC. */
async function deletionNote({ id }: { id: string }, scope: Scope) {
  const { project = '', vpc = '' } = scope
  const losses = await lossesOf(scope, { type: 'delete_subnet', id })
  return (
    <>
      <ReferencesOf losses={losses} vpc={{ project, vpc }} />
      <LossesOf losses={losses} />
    </>
  )
}
