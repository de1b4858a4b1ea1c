/** Detaching pools and addresses from an internet gateway. */
import {
  internetGatewayIpAddressDelete,
  internetGatewayIpAddressList,
  internetGatewayIpPoolDelete,
  internetGatewayIpPoolList,
  internetGatewayList,
} from '@purlin/contract/operations/internet-gateways'
import { vpcEffects } from '@purlin/contract/operations/vpc-effects'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { LossesOf, lossesOf } from '#/features/network-losses/losses.tsx'
import type { VpcTarget } from '#/lib/addresses.ts'
import { confirmAction } from '#/resource/confirm.ts'
import { showDoneToast } from '#/resource/toasts.tsx'
import { Highlight } from '#/ui/Highlight.tsx'
import type { AttachedAddress, AttachedPool } from './queries.ts'

/** Reloads what shows the attachments of gateways. */
export const reloadAttachments = () =>
  invalidate(internetGatewayIpPoolList, internetGatewayIpAddressList, internetGatewayList, vpcEffects)

export const askToDetachPool = (row: AttachedPool, vpc: VpcTarget) =>
  ask({
    row,
    noun: 'IP pool',
    losses: lossesOf(vpc, { type: 'detach_ip_pool', id: row.id }),
    // The question has named what is lost, so that use of the pool is no reason to refuse.
    run: () => send(internetGatewayIpPoolDelete, { params: { pool: row.id }, query: { cascade: true } }),
  })

export const askToDetachAddress = (row: AttachedAddress, vpc: VpcTarget) =>
  ask({
    row,
    noun: 'IP address',
    losses: lossesOf(vpc, { type: 'detach_ip_address', id: row.id }),
    run: () =>
      send(internetGatewayIpAddressDelete, { params: { address: row.id }, query: { cascade: true } }),
  })

interface Question {
  row: { name: string }
  noun: string
  losses: ReturnType<typeof lossesOf>
  run: () => Promise<unknown>
}

async function ask({ row: { name }, noun, losses, run }: Question): Promise<void> {
  const lost = await losses
  confirmAction({
    modalTitle: `Detach ${noun}`,
    modalContent: (
      <>
        <p>
          Are you sure you want to detach <Highlight>{name}</Highlight> from the internet gateway?
        </p>
        <LossesOf losses={lost} />
      </>
    ),
    errorTitle: `Could not detach ${noun}`,
    actionType: 'danger',
    doAction: async () => {
      await run()
      await reloadAttachments()
      showDoneToast(noun, name, 'detached')
    },
  })
}
