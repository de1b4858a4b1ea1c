/** Our own operation that protects a resource from deletion or removes the protection, and changes nothing else of it. */
import { boolean, object, ref } from '#/schema.ts'
import { changesOf } from './kept-changes.ts'

const Protection = ref('Protection', object({ protected: boolean() }))
const changes = changesOf({ part: 'protection', method: 'PUT', body: Protection, response: Protection })
export const instanceProtectionUpdate = changes.instance
export const diskProtectionUpdate = changes.disk
export const snapshotProtectionUpdate = changes.snapshot
export const instanceSnapshotProtectionUpdate = changes.instanceSnapshot
export const userDataTemplateProtectionUpdate = changes.userDataTemplate
export const floatingIpProtectionUpdate = changes.floatingIp
export const vpcProtectionUpdate = changes.vpc
export const imageProtectionUpdate = changes.image
export const projectProtectionUpdate = changes.project
