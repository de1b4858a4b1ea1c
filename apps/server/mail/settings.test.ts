import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readConfig, shownSettings } from '../process/config.ts'
import { killAll, newFolder } from '../testing/children.ts'
import { mailOf, serverOf } from './settings.ts'

afterAll(killAll)

const from = ['--mail-from', 'cloud@example.org']
function configOf(args: string[], env: Record<string, string> = {}) {
  const command = readConfig([...args, ...from], env)
  if (command.at !== 'run') throw new Error('these are settings')
  return command.config
}
const serverAt = (url: string, ...more: string[]) =>
  serverOf(new URL(url), configOf(['--smtp-url', url, ...more]))

it.each([
  ['smtp://mail.example.org', [], { host: 'mail.example.org', port: 587, tls: 'required' }],
  [
    'smtp://mail.example.org:25',
    ['--smtp-without-tls'],
    { host: 'mail.example.org', port: 25, tls: 'if offered' },
  ],
  ['smtps://mail.example.org', [], { host: 'mail.example.org', port: 465, tls: 'from the start' }],
  ['smtp://localhost:1025', [], { host: 'localhost', port: 1025, tls: 'if offered' }],
  ['smtp://[::1]', [], { host: '::1', port: 587, tls: 'if offered' }],
  ['smtp://127.0.0.1.example.org', [], { host: '127.0.0.1.example.org', port: 587, tls: 'required' }],
])('%s %j is %j', (url, more, server) => {
  expect(serverAt(url, ...more)).toEqual(server)
})

it('the password is in a file or a variable, and settings do not show it', () => {
  const file = join(newFolder().path, 'password')
  writeFileSync(file, 'timber and joints\n')
  const url = 'smtp://cloud%40example.org@mail.example.org'
  const login = { user: 'cloud@example.org', password: 'timber and joints' }
  expect(serverAt(url, '--smtp-password-file', file).login).toEqual(login)
  const config = configOf(['--smtp-url', url], { PURLIN_SMTP_PASSWORD: 'timber and joints' })
  expect(serverOf(new URL(url), config).login).toEqual(login)
  expect(shownSettings(config)).toMatchObject({ '--smtp-password': '(set)', '--smtp-url': url })
})

it('a file that cannot be read prevents the start', async () => {
  const args = ['--smtp-url', 'smtp://cloud@mail.example.org', '--smtp-password-file', '/nowhere/password']
  await expect(mailOf(configOf(args))).rejects.toThrow('The file /nowhere/password of --smtp-password-file')
})

it('without settings there is no e-mail, and with an address of the console messages have a link', async () => {
  const command = readConfig([], {})
  if (command.at !== 'run') throw new Error('these are settings')
  expect(await mailOf(command.config)).toEqual({})
  const args = ['--smtp-url', 'smtp://localhost', '--public-url', 'https://cloud.example.org']
  expect(await mailOf(configOf(args))).toMatchObject({
    mail: { alertsUrl: 'https://cloud.example.org/system/alerts' },
  })
})
