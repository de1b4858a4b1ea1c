import { describe, expect, it } from 'vitest'
import { flagRows, helpText, readConfig, type Config } from './config.ts'

const run = (argv: string[], env: Record<string, string> = {}): Config => {
  const asked = readConfig(argv, env)
  if (asked.at !== 'run') throw new Error(`asked for ${asked.at}`)
  return asked.config
}

describe('configuration', () => {
  it('works without any flag', () => {
    expect(run([])).toEqual({
      port: 12_220,
      host: '127.0.0.1',
      dataDir: './.data',
      databaseUrl: undefined,
      demo: false,
      adminSilo: 'main',
      adminUser: 'admin',
      adminPassword: undefined,
      sessionIdleMinutes: 480,
      sessionAbsoluteMinutes: 1440,
      tlsCert: undefined,
      tlsKey: undefined,
      behindProxy: false,
      logLevel: 'info',
    })
  })

  it('reads variables of the same names; a flag wins, an empty variable is none', () => {
    const env = { PURLIN_PORT: '80', PURLIN_DATA_DIR: '/srv/purlin', PURLIN_DEMO: '1', PURLIN_HOST: '' }
    expect(run([], env)).toMatchObject({ port: 80, dataDir: '/srv/purlin', demo: true, host: '127.0.0.1' })
    expect(run(['--port', '81', '--data-dir=/x'], env)).toMatchObject({ port: 81, dataDir: '/x' })
    expect(run([], { PURLIN_DEMO: 'no' }).demo).toBe(false)
  })

  it.each([
    [['--port', 'x'], '--port: must be a whole number from 0 to 65535'],
    [['--port', '65536'], '--port: must be a whole number from 0 to 65535'],
    [['--port='], '--port: must be a whole number from 0 to 65535'],
    [['--data-dir='], '--data-dir: must not be empty'],
    [['--session-idle-minutes', '0'], '--session-idle-minutes: must be a whole number from 1 to 525600'],
    [['--log-level', 'loud'], '--log-level: must be one of debug, info, warn, error, silent'],
    [['--database-url', 'mysql://x'], '--database-url: must look like postgres://user@host/database'],
    [['--admin-silo', 'Main'], '--admin-silo: name must begin with an ASCII lowercase character'],
    [['--tls-cert', 'a.pem'], '--tls-cert and --tls-key belong together: give both or none'],
    [['--prot', '1'], "Unknown option '--prot'"],
    [['--port'], "Option '--port <value>' argument missing"],
    [['--demo=yes'], "Option '--demo' does not take an argument"],
    [['extra'], "Unexpected argument 'extra'"],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => run(argv)).toThrow(message)
  })

  it('names the variable that is wrong, but not a secret value', () => {
    expect(() => run([], { PURLIN_PORT: 'x' })).toThrow('PURLIN_PORT: must be')
    const secret = 'mysql://user:hunter2@host/x'
    expect(() => run([], { PURLIN_DATABASE_URL: secret })).toThrow(/^((?!hunter2).)*$/)
  })

  it('help and version win over everything that is well formed', () => {
    expect(readConfig(['--port', 'x', '--help'], {})).toEqual({ at: 'help' })
    expect(readConfig(['-h'], {})).toEqual({ at: 'help' })
    expect(readConfig(['--version'], {})).toEqual({ at: 'version' })
  })

  it('the help text has every flag with its default', () => {
    const text = helpText()
    for (const row of flagRows()) expect(text).toContain(`${row.flag} `)
    expect(text).toContain('(12220)')
    expect(flagRows()).toContainEqual({
      flag: '--data-dir FOLDER',
      variable: 'PURLIN_DATA_DIR',
      fallback: './.data',
      about: 'Folder of the embedded database and of the bytes of disks; made if missing',
    })
  })
})
