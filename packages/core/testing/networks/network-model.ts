/** The parts of core that the benchmark of networks measures without a server around them. */
export { batches } from '#/db/batches.ts'
export { pushNetworks } from '#/loops/networks.ts'
export { networkOf } from '#/network/model.ts'
export { readVpc } from '#/network/rows.ts'
