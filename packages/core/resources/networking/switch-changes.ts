/** Changes of switches that could cut operators off: what they would do, and the time to confirm them. */
import { permit } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { confirmChange, rollBackChange, unconfirmedIn } from './unconfirmed.ts'
import { applySettings, clearSettings } from '../hardware/ports.ts'
import { noteSwitches } from './note-switches.ts'
import { changeConfig, replaceSet } from './bgp.ts'
import { linesOf, type Line } from './configuration-lines.ts'
import { storeSettings } from './port-settings.ts'
import { configurationOf } from './switch-configuration.ts'
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
    await confirmChange(ctx, 'switches')
    await noteSwitches(ctx)
    ctx.wake('switches')
  },

  async networkingSwitchChangeRollBack(ctx) {
    permit(ctx)
    await rollBackChange(ctx, 'switches', restoreSwitches)
    await noteSwitches(ctx)
    ctx.wake('switches')
  },

  networkingSwitchChangePreview: {
    async withoutTransaction(request, { body }) {
      // The change is made, compared, and never committed.
      const made = request.transaction('write', async (ctx) => {
        permit(ctx)
        const before = await linesOfSwitches(ctx)
        await make(ctx, body.change)
        throw new Compared(compare(before, await linesOfSwitches(ctx)))
      })
      return made.catch((error: unknown) => {
        if (error instanceof Compared) return { switches: error.switches }
        throw error
      })
    },
  },
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

interface Lines {
  switchId: string
  rackId: string
  switchLocation: string
  lines: Line[]
}
type Differing = Omit<Lines, 'lines'> & { added: string[]; removed: string[] }

/** Carries the result out of a transaction that is rolled back. */
class Compared extends Error {
  override name = 'Compared'
  readonly switches: Differing[]
  constructor(switches: Differing[]) {
    super('a preview')
    this.switches = switches
  }
}

async function linesOfSwitches({ tx }: Ctx): Promise<Lines[]> {
  const rows = await tx.selectFrom('switch').selectAll().orderBy('location').orderBy('id').execute()
  const all: Lines[] = []
  for (const row of rows) {
    const lines = linesOf(await configurationOf(tx, row))
    all.push({ switchId: row.id, rackId: row.rackId, switchLocation: row.location, lines })
  }
  return all
}

/** The switches whose settings differ, with the lines that do. */
const compare = (before: readonly Lines[], after: readonly Lines[]): Differing[] =>
  after
    .map(({ lines, ...one }, i) => {
      const former = before[i]?.lines ?? []
      return { ...one, added: missingIn(former, lines), removed: missingIn(lines, former) }
    })
    .filter(({ added, removed }) => added.length + removed.length > 0)

/** Two lines with the same text differ in a key, which is not shown. */
const missingIn = (some: readonly Line[], all: readonly Line[]): string[] => {
  const known = new Set(some.map(({ text, secret }) => JSON.stringify([text, secret])))
  const texts = new Set(some.map(({ text }) => text))
  return all
    .filter(({ text, secret }) => !known.has(JSON.stringify([text, secret])))
    .map(({ text }) => (texts.has(text) ? `${text} (another key)` : text))
}
