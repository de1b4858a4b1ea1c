/** A world for tests of the command line, with an administrator who is signed in and a running instance, web. */
import { startServers, type TestServers } from '@purlin/server/testing/test-servers'
import { expect } from 'vitest'
import { openShell, type Shell } from './shell.ts'
import { signIn } from './sign-in.ts'

export interface WithInstance {
  servers: TestServers
  shell: Shell
}

const web =
  'instance create --project demo --name web --description x --ncpus 1 --memory 1GiB --hostname web --network-interfaces.type default --wait running'

export async function startWithInstance(): Promise<WithInstance> {
  const servers = await startServers()
  const shell = openShell()
  expect(await signIn({ shell, servers, who: 'admin' })).toMatchObject({ code: 0 })
  const made = await shell.run(web.split(' '), { sleep: () => servers.world.advance(1000) })
  expect(made).toMatchObject({ code: 0 })
  return { servers, shell }
}

/** Closes it; fails if its servers had errors. */
export async function endWithInstance({ servers, shell }: WithInstance): Promise<void> {
  expect(servers.world.errors).toEqual([])
  shell.close()
  await servers.close()
}
