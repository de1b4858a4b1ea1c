/** Hosts as screens list them, and the actions on one. */
import { hostDelete, hostList, hostView } from '@purlin/contract/operations/hardware/hosts'
import Server from 'lucide-react/icons/server'
import type { Item } from '#/api/everyPage.ts'
import { requestTo } from '#/api/request.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { kind, reload, roleFor } from '#/resource/kind.ts'

export type Host = Item<typeof hostList>

export const host = kind({
  name: 'host',
  title: 'Hosts',
  icon: Server,
  labelOf: ({ address, port }: Pick<Host, 'address' | 'port'>) => `${address}:${port}`,
  list: hostList,
  view: hostView,
})
const forget: Action<Host> = {
  id: 'forget',
  label: 'Forget',
  role: roleFor(hostDelete),
  isDanger: true,
  disabledReason: ({ sledIds }) =>
    sledIds.length === 0 ? undefined : 'Its sleds are in service. Take them out of service first.',
  confirm: {
    noun: 'host',
    labelOf: (row) => host.labelOf(row),
    verb: 'forget',
    done: 'forgotten',
    isDanger: true,
    note: () =>
      'Servers no longer connect to it. It can join again with another code and an empty data folder.',
    request: ({ id }) => requestTo(hostDelete, { params: { hostId: id } }),
    after: () => reload(host),
  },
}

export const hostActions: readonly Action<Host>[] = [copyId('host'), forget]
