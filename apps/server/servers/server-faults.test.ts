/** Equal servers, and their database, fail in turn under load. */
import { describeFaults } from '../testing/cluster/describe-faults.ts'
import { serverNames, until } from '../testing/faults/site.ts'

describeFaults({
  parts: ['database', 'database wire', ...serverNames],
  seeds: [],
  more: {
    'a server is killed while a sled is cleared for maintenance': async (cluster) => {
      const { first: api } = cluster.site.apis
      const at = { params: { sledId: cluster.hosts[0].sledIds[0] ?? '' } }
      for (const name of serverNames) {
        await until('the maintenance begins', async () => {
          await api.sledMaintenanceStart({ ...at, body: { stopUnmovable: true } })
          return true
        })
        await cluster.site.restart(name)
        await until('the sled is clear', async () => {
          const { items } = await api.sledInstanceList({ ...at, query: {} })
          return items.length === 0
        })
        await until('the maintenance ends', async () => {
          await api.sledMaintenanceEnd(at)
          return true
        })
      }
    },
  },
})
