/** What benchmarks need of the model of permissions. */
export { permits } from '#/auth/access.ts'
export { actorFrom } from '#/auth/actors.ts'
export { addPrincipalWords } from '#/db/rows/principals.ts'
