/** The way out of a box whose server an ordinary user has started. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { lacks } from '@purlin/sleds/testing/skips'
import { afterEach, describe, expect, it } from 'vitest'
import { hasBoxes } from '../testing/qemu.ts'
import { boxArguments, boxProgram } from './box.ts'
import { setsRoutes } from './uplink.ts'

const isRoot = process.getuid?.() === 0
const noBoxes = !hasBoxes && 'bubblewrap cannot make boxes here'
const user = '65534'
/** A command as a user without rights. */
const asUser = ['--reuid', user, '--regid', user, '--clear-groups', '--no-new-privs']

describe.skipIf(lacks((!isRoot && 'only root takes the place of others') || noBoxes))(
  'a box of a user',
  () => {
    let box: ReturnType<typeof spawn>
    afterEach(async () => {
      const ended = once(box, 'exit')
      box.kill('SIGKILL')
      await ended
    })

    it('has its routes set by that user, and no process in it has a right', async () => {
      const contents = boxArguments({ read: [], written: [], moved: [], network: 'own' }, 'sh')
      const shell = ['--die-with-parent', '--', 'sh', '-c', 'echo ready; exec sleep 600']
      box = spawn('setpriv', [...asUser, boxProgram, ...contents, ...shell], { cwd: '/' })
      await once(box.stdout ?? box, 'data')
      const [inside = ''] = readFileSync(`/proc/${box.pid}/task/${box.pid}/children`, 'utf8').split(' ')
      const routes = spawnSync('setpriv', [...asUser, 'nsenter', ...setsRoutes(Number(inside))], {
        cwd: '/',
        input: 'route replace blackhole 169.254.0.0/16\n',
        encoding: 'utf8',
      })
      expect(routes).toMatchObject({ status: 0, stderr: '' })
      const status = readFileSync(`/proc/${inside}/status`, 'utf8')
      expect(status).toMatch(/^CapEff:\t0+$/m)
      expect(status).toMatch(new RegExp(`^Uid:\t${user}\t`, 'm'))
    })
  },
)
