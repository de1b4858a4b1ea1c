/** Changes of switches that could cut operators off: what they would do, and the time to confirm them. */
import { noteTarget } from '#/audit/touched.ts'
import { permit } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { confirmChange, rollBackChange, unconfirmedIn } from './unconfirmed.ts'
import { applySettings, clearSettings } from '../hardware/ports.ts'
import { changeConfig, replaceSet } from './bgp.ts'
import { storeSettings } from './port-settings.ts'
import { changedSwitches, linesOfSwitches } from './changed-switches.ts'
import { compare, type Differing } from './configuration-lines.ts'
import { restoreSwitches } from './switch-snapshot.ts'

type Change = BodyOf<'networkingSwitchChangePreview'>['change']

export const switchChanges: Family<`networkingSwitchChange${'View' | 'Confirm' | 'RollBack' | 'Preview'}`> = {
  async networkingSwitchChangeView(ctx) {
    permit(ctx)
    const waiting = await unconfirmedIn(ctx.tx, 'switches')
    return { timeRollBack: waiting ? new Date(waiting.timeRollBack) : null }
  },

  async networkingSwitchChangeConfirm(ctx) {
    permit(ctx)
    await noteChangedSwitches(ctx)
    await confirmChange(ctx, 'switches')
    ctx.wake('switches')
  },

  async networkingSwitchChangeRollBack(ctx) {
    permit(ctx)
    await noteChangedSwitches(ctx)
    await rollBackChange(ctx, 'switches', restoreSwitches)
    ctx.wake('switches')
  },

  networkingSwitchChangePreview: {
    async withoutTransaction(request, { body }) {
      // The change is made, compared, and never committed.
      const made = request.transaction('write', async (ctx) => {
        permit(ctx)
        const before = await linesOfSwitches(ctx.tx)
        await make(ctx, body.change)
        throw new Compared(compare(before, await linesOfSwitches(ctx.tx)))
      })
      return made.catch((error: unknown) => {
        if (error instanceof Compared) return { switches: error.switches }
        throw error
      })
    },
  },
}

/** Notes the switches that the change which waits to be confirmed is about, for the audit log. */
async function noteChangedSwitches({ tx, unit }: Ctx): Promise<void> {
  const waiting = await unconfirmedIn(tx, 'switches')
  if (!waiting) return
  for (const one of await changedSwitches(tx, waiting.formerJson)) noteTarget(unit, 'switch', one)
}

/** Throws what the operation throws. */
async function make(ctx: Ctx, change: Change): Promise<void> {
  switch (change.type) {
    case 'port_settings':
      await storeSettings(ctx, change.settings)
      return
    case 'apply': {
      const { port, portSettings, ...query } = change
      return applySettings(ctx, { params: { port }, query }, portSettings)
    }
    case 'clear': {
      const { port, ...query } = change
      return clearSettings(ctx, { params: { port }, query })
    }
    case 'bgp_config':
      await changeConfig(ctx, change.bgpConfig, change.update)
      return
    case 'announce_set':
      await replaceSet(ctx, change.announceSet)
  }
}

/** Carries the result out of a transaction that is rolled back. */
class Compared extends Error {
  override name = 'Compared'
  readonly switches: Differing[]
  constructor(switches: Differing[]) {
    super('a preview')
    this.switches = switches
  }
}
