/** Refuses what must never become a part of a path or an option. */
import type { VmDisk, VmSpec } from '@purlin/core/ports'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const macAddress = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i

/** True for a UUID as ids are stored. */
export const isId = (text: string): boolean => uuid.test(text)

function requireAll(texts: readonly string[], isRight: (text: string) => boolean): void {
  if (!texts.every(isRight)) throw new Error('an id or address of a machine is malformed')
}

/** Throws if an id of the layers is no UUID. */
export const requireLayers = (disks: readonly Pick<VmDisk, 'id' | 'layers'>[]): void =>
  requireAll(
    disks.flatMap(({ id, layers }) => [id, ...layers.map((layer) => layer.id)]),
    isId,
  )

/** Throws if an id of the machine is no UUID, or an address of an interface is none. */
export function requireSafe(id: string, { disks, nics }: VmSpec): void {
  requireAll([id], isId)
  requireLayers(disks)
  requireAll(
    nics.map(({ mac }) => mac),
    (mac) => macAddress.test(mac),
  )
}
