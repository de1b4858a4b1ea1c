/** The parts of the permission model that benchmarks use. */
export { permits } from '#/auth/access.ts'
export { actorFrom } from '#/auth/actors.ts'
export { addPrincipalWords } from '#/db/rows/principals.ts'
