/** Root documents of publishers: the repositories that continue one are accepted. */
import { limits } from '@purlin/contract/rules/limits'
import type { Family, RequestContext } from '#/context.ts'
import type { TrustRootTable } from '#/db/tables.ts'
import { newRowId } from '#/db/row-id.ts'
import { fault } from '#/faults.ts'
import { permit } from '#/auth/resolve.ts'
import { RepositoryRefused } from '#/ports.ts'
import { plain } from '../kind/plain.ts'
import { checkRoom } from '../kind/room.ts'
import { insertChild } from '../kind/rows.ts'
import { updatesOf } from './update-files.ts'

const view = ({ id, timeCreated, document }: TrustRootTable) => ({
  id,
  timeCreated: new Date(timeCreated),
  rootRole: JSON.parse(document) as unknown,
})

const { handlers } = plain('systemUpdateTrustRoot', { view }, ['List', 'View', 'Delete'])

export const trustRoots: Family<keyof typeof handlers | 'systemUpdateTrustRootCreate'> = {
  ...handlers,

  systemUpdateTrustRootCreate: {
    async withoutTransaction(request, { body }) {
      await request.transaction('read', (ctx) => Promise.resolve(permit(ctx)))
      const document = JSON.stringify(body)
      await checkRoot(request, document)
      return request.transaction('write', async (ctx) => {
        permit(ctx)
        const { tx, world, now } = ctx
        const has = (await tx.selectFrom('systemUpdateTrustRoot').select('id').execute()).length
        const { trustRoots: most } = limits.update
        checkRoom(has, { noun: 'trust root', holder: 'rack', most })
        const row = { id: newRowId(world), document, timeCreated: now }
        return view(await insertChild(ctx, 'systemUpdateTrustRoot', row))
      })
    },
  },
}

/** Throws 400 unless a document is signed by its own keys. */
async function checkRoot({ world }: Pick<RequestContext, 'world'>, document: string): Promise<void> {
  const { root } = limits.update
  if (document.length > root) throw fault.invalid(`a root document has at most ${root} characters`)
  try {
    await updatesOf(world).verifier.checkRoot(document)
  } catch (error) {
    throw error instanceof RepositoryRefused ? fault.invalid(error.message) : error
  }
}
