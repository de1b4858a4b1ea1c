/** Actions on loopback addresses. */
import { networkingLoopbackAddressDelete } from '@purlin/contract/operations/networking/address-lots'
import { requestTo } from '#/api/request.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { reload, roleFor } from '#/resource/kind.ts'
import { loopbackAddress, type Loopback } from '../kinds.ts'

const remove: Action<Loopback> = {
  id: 'delete',
  label: 'Delete',
  role: roleFor(networkingLoopbackAddressDelete),
  isDanger: true,
  confirm: {
    noun: 'loopback address',
    labelOf: ({ address }) => address,
    verb: 'delete',
    done: 'deleted',
    isDanger: true,
    note: () => 'The switch can no longer be reached there.',
    request: ({ rackId, switchLocation, address }) => {
      const [ip = '', width] = address.split('/')
      return requestTo(networkingLoopbackAddressDelete, {
        params: { rackId, switchLocation, address: ip, subnetMask: Number(width) },
      })
    },
    after: () => reload(loopbackAddress),
  },
}

export const loopbackActions: readonly Action<Loopback>[] = [copyId('loopback address'), remove]
