/**
 * `sudo npm run network-helper -- --data-dir FOLDER [--external BLOCK …] [--reach BLOCK …]
 * [--tunnel-address ADDRESS]`: makes the networks of VPCs in the kernel for the server with this data folder, whose owner is the
 * only user that may ask for it. It ends at SIGTERM; networks and guests go on.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openKernel, placeOf } from '@purlin/netns/privileged/open'
import { changeableByOthers } from '@purlin/netns/privileged/own-files'
import { serveNetworks } from '@purlin/netns/privileged/serve'
import { readFlags } from './flags.ts'
import { flagProblem, helperFlags } from './network-helper-flags.ts'
import { root } from './repo.ts'

/** The files that this process runs. */
const ownFiles = [
  ...['tools', 'packages', 'node_modules', 'package.json', 'package-lock.json'].map((name) =>
    join(root, name),
  ),
  process.execPath,
]
const help = `Usage: npm run network-helper -- --data-dir FOLDER [flags]

Makes the networks of VPCs in the kernel for the server or host with this data folder. Needs root.

  --data-dir FOLDER  The data folder; its owner is the only user that may ask for networks (./.data)
  --external BLOCK   Lead the external addresses of this block to guests; may be repeated
  --reach BLOCK      Let guests open connections to this block although it is private, or a device of this
                     machine is in it; may be repeated
  --tunnel-address ADDRESS
                     The IP address of this machine at which it takes packets of VPCs from other hosts, so
                     that a VPC spans them; all hosts need one, in a network that only hosts are in
  --allow-writable-files
                     Start although another user than root may change the files of the helper, and so get
                     the rights of root
  --help             Show this text`

const { values } = readFlags({ options: helperFlags })
if (values.help) {
  console.log(help)
  process.exit(0)
}
const { external, reach, 'tunnel-address': tunnelAddress } = values
const problem = flagProblem(values)
if (problem !== undefined) end(problem)
if (process.getuid?.() !== 0) end('The network helper needs the rights of root: start it with sudo.')
try {
  const folder = values['data-dir']
  const place = await placeOf(folder)
  const { uid: owner } = await stat(folder)
  const isOwn = owner === 0 || values['allow-writable-files']
  const foreign = isOwn ? undefined : await changeableByOthers(ownFiles)
  if (foreign !== undefined)
    end(
      `Another user than root may change ${foreign}, and would get the rights of root by this helper. Install it in a folder of root (docs/guide/start.md), or add --allow-writable-files to try it.`,
    )
  const networks = await openKernel({ place, owner, external, reach, tunnelAddress })
  const server = await serveNetworks({ networks, path: place.socket, owner })
  console.log(`The networks of ${folder} are ready for user ${owner}, at ${place.socket}.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      server.close()
      server.closeAllConnections()
    })
} catch (error) {
  end(error instanceof Error ? error.message : String(error))
}

function end(problem: string): never {
  console.error(problem)
  process.exit(1)
}
