/**
 * The control plane, for the server and the preview. Its ports are in `ports.ts`, its demo in `seed/demo.ts`; no
 * other file of this package can be imported.
 */
export type { RequestContext, World } from './context.ts'
export { createControlPlane, type ControlPlane } from './control-plane.ts'
export { Fault, fault } from './faults.ts'
export { identityOf } from './db/identity.ts'
export { folderOf } from './db/rows/folder.ts'
export { liftAllowList, type AllowList } from './loops/allow-list.ts'
export { verifyAuditLog, type Verified } from './audit/verify.ts'
export { createAccessCheck, type Ending, type Held } from './auth/held-access.ts'
export { siloOfHost } from './auth/sign-in/sign-in.ts'
export { giveBack } from './bytes.ts'
export type { Dispatcher } from './http/dispatch.ts'
export { clientOf } from './auth/client-of.ts'
export { errorReply } from './http/replies/replies.ts'
export { actorOf } from './http/request-context.ts'
export { parseSearch } from './http/request.ts'
export { certificateFor, type ServedCertificate } from './resources/silos/served-certificates.ts'
export { openSerialConsole, type OpenConsole } from './resources/instances/console.ts'
export { firstStart, type FirstAdmin } from './seed/first-start.ts'
export { readGauges, type Gauges } from './resources/metrics/gauges.ts'
