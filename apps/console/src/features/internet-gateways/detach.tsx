/** Detaching pools and addresses from an internet gateway. */
import type { Args } from '@purlin/contract/op'
import {
  internetGatewayIpAddressCreate,
  internetGatewayIpAddressDelete,
  internetGatewayIpAddressList,
  internetGatewayIpPoolCreate,
  internetGatewayIpPoolDelete,
  internetGatewayIpPoolList,
  internetGatewayList,
} from '@purlin/contract/operations/vpcs/internet-gateways'
import { vpcEffects } from '@purlin/contract/operations/vpcs/vpc-effects'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest, type ApiRequest } from '#/api/request.ts'
import { LossesOf, lossesOf } from '#/features/network-losses/losses.tsx'
import type { VpcTarget } from '#/lib/addresses.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { undoableToast } from '#/resource/actions/undo.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { AttachedAddress, AttachedPool } from './queries.ts'

/** Reloads what shows the attachments of gateways. */
export const reloadAttachments = () =>
  invalidate(internetGatewayIpPoolList, internetGatewayIpAddressList, internetGatewayList, vpcEffects)

/** The requests that attach to a gateway, by its id. */
export const poolRequest = (gateway: string, body: PoolBody) =>
  requestTo(internetGatewayIpPoolCreate, { query: { gateway }, body })
export const addressRequest = (gateway: string, body: AddressBody) =>
  requestTo(internetGatewayIpAddressCreate, { query: { gateway }, body })

// A question has named what is lost, so that use is no reason to refuse.
const poolRemoval = (pool: string, query: { cascade?: true } = {}) =>
  requestTo(internetGatewayIpPoolDelete, { params: { pool }, query })
const addressRemoval = (address: string, query: { cascade?: true } = {}) =>
  requestTo(internetGatewayIpAddressDelete, { params: { address }, query })

/** How a gateway gets what may leave it, by its id. Both return what takes that back. */
export async function attachPool(gateway: string, body: PoolBody) {
  const { id } = await sendRequest(poolRequest(gateway, body))
  await reloadAttachments()
  return async () => {
    await sendRequest(poolRemoval(id))
    await reloadAttachments()
  }
}
export async function attachAddress(gateway: string, body: AddressBody) {
  const { id } = await sendRequest(addressRequest(gateway, body))
  await reloadAttachments()
  return async () => {
    await sendRequest(addressRemoval(id))
    await reloadAttachments()
  }
}
type PoolBody = Args<typeof internetGatewayIpPoolCreate>['body']
type AddressBody = Args<typeof internetGatewayIpAddressCreate>['body']

/** The toast after something was attached, which can be taken back. */
export const attachedToast = (noun: string, name: string, detach: () => Promise<unknown>) =>
  undoableToast({ noun, name, done: 'attached', undone: 'detached again' }, detach)

export const askToDetachPool = (row: AttachedPool, vpc: VpcTarget) =>
  ask({
    row,
    noun: 'IP pool',
    losses: lossesOf(vpc, { type: 'detach_ip_pool', id: row.id }),
    request: poolRemoval(row.id, { cascade: true }),
    attach: () => attachPool(row.internetGatewayId, { ...identityOf(row), ipPool: row.ipPoolId }),
  })

export const askToDetachAddress = (row: AttachedAddress, vpc: VpcTarget) =>
  ask({
    row,
    noun: 'IP address',
    losses: lossesOf(vpc, { type: 'detach_ip_address', id: row.id }),
    request: addressRemoval(row.id, { cascade: true }),
    attach: () => attachAddress(row.internetGatewayId, { ...identityOf(row), address: row.address }),
  })

const identityOf = ({ name, description }: Pick<AttachedPool, 'name' | 'description'>) => ({
  name,
  description,
})

interface Question {
  row: { name: string }
  noun: string
  losses: ReturnType<typeof lossesOf>
  request: ApiRequest
  /** Attaches the same again. */
  attach: () => Promise<unknown>
}

async function ask({ row: { name }, noun, losses, request, attach }: Question): Promise<void> {
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
    request,
    doAction: async () => {
      await reloadAttachments()
      addToast(undoableToast({ noun, name, done: 'detached', undone: 'attached again' }, attach))
    },
  })
}
