import { describe, expect, it } from 'vitest'
import { counts } from '@purlin/contract/rules/counts'
import { exposure, flagRows, helpText, originOf, readConfig, shownSettings, type Config } from './config.ts'

const run = (argv: string[], env: Record<string, string> = {}): Config => {
  const command = readConfig(argv, env)
  if (command.at !== 'run') throw new Error(`the command is ${command.at}`)
  return command.config
}

const mailBy = (url: string) => ['--smtp-url', url, '--mail-from', 'cloud@example.org']

describe('configuration', () => {
  it('works without any flag', () => {
    expect(run([])).toEqual({
      port: 12_220,
      host: '127.0.0.1',
      auditDays: 730,
      dataDir: './.data',
      databaseUrl: undefined,
      demo: false,
      machines: 'auto',
      external: [],
      tunnelAddress: undefined,
      adminSilo: 'main',
      adminUser: 'admin',
      adminPassword: undefined,
      sessionIdleMinutes: 480,
      sessionAbsoluteMinutes: 1440,
      limits: counts,
      zone: 'purlin.internal',
      tls: false,
      tlsCert: undefined,
      tlsKey: undefined,
      publicUrl: undefined,
      behindProxy: false,
      maxConnections: 4096,
      maxConnectionsPerAddress: 512,
      tracesTo: undefined,
      tracesRatio: 1,
      tracesHeaders: undefined,
      webhooksRefuse: [],
      webhooksAllow: [],
      imagesRefuse: [],
      imagesAllow: [],
      smtpUrl: undefined,
      smtpPasswordFile: undefined,
      smtpPassword: undefined,
      smtpWithoutTls: false,
      mailFrom: undefined,
      backupTo: undefined,
      backupEvery: 24,
      backupKeep: 7,
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
    [['--admin-password', 'a'], '--admin-password: must have at least 12 characters'],
    [['--zone', 'cloud_1'], '--zone: must be a domain such as cloud.example.org'],
    [['--tls-cert', 'a.pem'], '--tls-cert and --tls-key belong together: give both or none'],
    [['--public-url', 'cloud.test'], '--public-url: must look like https://cloud.example.org'],
    [['--public-url', 'https://cloud.test/x'], '--public-url: must look like https://cloud.example.org'],
    [['--smtp-url', 'mail.example.org'], '--smtp-url: must look like smtp://user@mail.example.org:587'],
    [['--smtp-url', 'smtp://mail.test/path'], '--smtp-url: must look like smtp://user@mail.example.org:587'],
    [['--smtp-url', 'smtp://mail.test'], '--smtp-url and --mail-from belong together: give both or none'],
    [['--mail-from', 'Purlin'], '--mail-from: "Purlin" is no address such as operators@example.org'],
    [mailBy('smtp://user@mail.test'), 'the user of --smtp-url needs --smtp-password-file or the variable'],
    [[...mailBy('smtp://mail.test'), '--smtp-password=x'], 'the password of SMTP needs a user'],
    [
      [...mailBy('smtp://user@mail.test'), '--smtp-password=x', '--smtp-password-file=y'],
      '--smtp-password and --smtp-password-file: give one of them',
    ],
    [[...mailBy('smtps://mail.test'), '--smtp-without-tls'], '--smtp-without-tls is for an --smtp-url that'],
    [['--traces-to', 'collector:4318'], '--traces-to: must look like http://127.0.0.1:4318/v1/traces'],
    [['--traces-to', 'http://127.0.0.1:4318'], '--traces-to: must look like http://127.0.0.1:4318/v1/traces'],
    [
      ['--traces-to', 'http://collector.test/v1/traces?key=1'],
      '--traces-to: must not contain a user, password or query',
    ],
    [['--traces-ratio', '1.5'], '--traces-ratio: must be a number from 0 to 1'],
    [['--traces-headers', 'a=b'], "Unknown option '--traces-headers'"],
    [['--prot', '1'], "Unknown option '--prot'"],
    [['--port'], "Option '--port <value>' argument missing"],
    [['--machines', 'qemu', '--demo'], '--demo has simulated instances: leave out --machines'],
    [['--demo=yes'], "Option '--demo' does not take an argument"],
    [['extra'], "Unexpected argument 'extra'"],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => run(argv)).toThrow(message)
  })

  it.each([
    [['--host', '0.0.0.0'], true],
    [['--host', '::'], true],
    [['--host', '10.1.2.3', '--public-url', 'http://cloud.test'], true],
    [['--host', '0.0.0.0', '--public-url', 'https://Cloud.test/'], false],
    [['--host', '0.0.0.0', '--behind-proxy'], false],
    [['--host', '0.0.0.0', '--tls-cert', 'a', '--tls-key', 'b'], false],
    [['--host', '::1'], false],
    [[], false],
  ])('%j warns of plain HTTP: %s', (argv, isWarned) => {
    const warning = exposure(run(argv))
    expect(warning?.includes('over plain HTTP') ?? false).toBe(isWarned)
  })

  it('takes limits of numbers, and says which it does not know', () => {
    expect(run(['--limits', 'vpc-per-project=3']).limits.vpc).toEqual({ ...counts.vpc, project: 3 })
    expect(() => run(['--limits', 'vpcs=3'])).toThrow('--limits: "vpcs" is none of ')
  })

  it('takes headers for the collector of traces from a variable only, and only with a collector', () => {
    const env = { PURLIN_TRACES_HEADERS: 'Authorization=Bearer%20a=b, X-Tenant=cloud' }
    expect(
      run(['--traces-to', 'https://traces.test/v1/traces', '--traces-ratio', '0.25'], env),
    ).toMatchObject({
      tracesTo: 'https://traces.test/v1/traces',
      tracesRatio: 0.25,
      tracesHeaders: { Authorization: 'Bearer a=b', 'X-Tenant': 'cloud' },
    })
    expect(() => run([], env)).toThrow('PURLIN_TRACES_HEADERS needs --traces-to')
  })

  it('names the variable that is wrong, but not a secret value', () => {
    expect(() => run([], { PURLIN_PORT: 'x' })).toThrow('PURLIN_PORT: must be')
    const secret = 'mysql://user:hunter2@host/x'
    expect(() => run([], { PURLIN_DATABASE_URL: secret })).toThrow(/^((?!hunter2).)*$/)
    expect(() => run([], { PURLIN_TRACES_HEADERS: 'X-Key=hunter2,hunter2' })).toThrow(
      /^PURLIN_TRACES_HEADERS: must be headers((?!hunter2).)*$/,
    )
    expect(() => run(['--traces-to', 'http://collector.test/v1/traces?key=hunter2'])).toThrow(
      /^((?!hunter2).)*$/,
    )
    const url = 'smtp://user:hunter2@mail.test'
    expect(() => run([], { PURLIN_SMTP_URL: url })).toThrow(
      /^PURLIN_SMTP_URL: must not contain a password((?!hunter2).)*$/,
    )
  })

  it('help and version take precedence over all valid flags', () => {
    expect(readConfig(['--port', 'x', '--help'], {})).toEqual({ at: 'help' })
    expect(readConfig(['-h'], {})).toEqual({ at: 'help' })
    expect(readConfig(['--version'], {})).toEqual({ at: 'version' })
  })

  it.each([
    [[], 'http://127.0.0.1:80'],
    [['--host', '0.0.0.0'], 'http://localhost:80'],
    [['--host', '::1', '--tls-cert', 'c', '--tls-key', 'k'], 'https://[::1]:80'],
  ])('%j: found at %s', (argv, origin) => {
    expect(originOf(run(argv), 80)).toBe(origin)
  })

  it('the help text has every flag with its default', () => {
    const text = helpText()
    for (const row of flagRows()) expect(text).toContain(`${row.flag} `)
    expect(text).toContain('(12220)')
    expect(flagRows()).toContainEqual({
      flag: '--data-dir FOLDER',
      variable: 'PURLIN_DATA_DIR',
      fallback: './.data',
      about: 'Folder of the embedded database and the bytes of disks; created if missing',
    })
  })
})

it('shows settings without what may be a secret', () => {
  const url = 'postgres://purlin:timber-and-joints@db.internal/purlin'
  const traces = ['--traces-to', 'http://127.0.0.1:4318/v1/traces']
  const args = [...traces, '--database-url', url, '--limits', 'vpc-per-project=20', '--port', '8080']
  const command = readConfig(args, {
    PURLIN_METRICS_TOKEN: 'timber-and-more-joints',
    PURLIN_TRACES_HEADERS: 'X-Key=timber',
  })
  if (command.at !== 'run') throw new Error('these are settings')
  const shown = shownSettings(command.config)
  expect(JSON.stringify(shown)).not.toContain('timber')
  expect(shown).toMatchObject({
    '--database-url': '(set)',
    '--metrics-token': '(set)',
    '--admin-password': null,
    '--traces-to': 'http://127.0.0.1:4318/v1/traces',
    PURLIN_TRACES_HEADERS: '(set)',
    '--port': 8080,
    '--zone': 'purlin.internal',
  })
  expect(Object.keys(shown)).toHaveLength(flagRows().length)
})
