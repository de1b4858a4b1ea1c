/** Signs a user of the test world in through the command line. */
import type { Who } from '@purlin/core/testing/world'
import type { TestServers } from '@purlin/server/testing/test-servers'
import type { Ran, Shell } from './shell.ts'

/** Runs the sign-in; the user confirms its code while it waits. */
export function signIn({
  shell,
  servers,
  who,
}: {
  shell: Shell
  servers: TestServers
  who: Who
}): Promise<Ran> {
  const confirm = async (_: number, notes: string) => {
    const [, userCode = ''] = /enter ([A-Z]{4}-[A-Z]{4})/.exec(notes) ?? []
    await servers.world.as(who).deviceAuthConfirm({ body: { userCode } })
  }
  return shell.run(['login', '--host', `http://127.0.0.1:${servers.port}`], { sleep: confirm })
}
