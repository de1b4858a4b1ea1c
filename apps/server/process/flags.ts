/** The table of settings: flags, environment variables, `--help` and the guide's rows come from it. */
import {
  backupsKept,
  counts,
  domain,
  emailAddress,
  ipAddress,
  metricsToken,
  name,
  networks,
  notEmpty,
  oneOf,
  onOff,
  optional,
  origin,
  password,
  postgresUrl,
  smtpUrl,
  collectorUrl,
  ratio,
  tracesHeaders,
  whole,
} from './config-values.ts'
import { defaultZone } from '@purlin/contract/rules/credentials/certificates'

export interface Flag<T> {
  /** The placeholder of the value in the help text; a switch has none. */
  value?: string
  /** The default text, parsed like any other. */
  fallback: string
  read(text: string): T
  about: string
  /** It contains or may contain a password, or what serves as one. */
  isSecret: boolean
  /** Given as a variable only: other users of the machine see flags. */
  isOnlyVariable?: boolean
}
const flag = <T>(of: Flag<T>): Flag<T> => of

const minutesOfAYear = 525_600
const machineDrivers = ['simulated', 'qemu', 'none', 'auto'] as const
const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Everything that can be set. `dataDir` is the flag `--data-dir` and the variable `PURLIN_DATA_DIR`. */
export const flags = {
  port: flag({
    value: 'NUMBER',
    fallback: '12220',
    read: whole(0, 65_535),
    about: 'Port to listen on; 0 selects any free port',
    isSecret: false,
  }),
  host: flag({
    value: 'ADDRESS',
    fallback: '127.0.0.1',
    read: notEmpty,
    about: 'Address to listen on; 0.0.0.0 means every IPv4 address',
    isSecret: false,
  }),
  dataDir: flag({
    value: 'FOLDER',
    fallback: './.data',
    read: notEmpty,
    about: 'Folder of the embedded database and the bytes of disks; created if missing',
    isSecret: false,
  }),
  databaseUrl: flag({
    value: 'URL',
    fallback: '',
    read: postgresUrl,
    about: 'PostgreSQL database to use instead of the embedded one',
    isSecret: true,
  }),
  adoptDisksOf: flag({
    value: 'DATABASE',
    fallback: '',
    read: optional,
    about:
      'Take over the bytes of disks in the data folder from this PostgreSQL database, by the name in the log; stop its servers first',
    isSecret: false,
  }),
  demo: flag({
    fallback: 'false',
    read: onOff,
    about: 'Fill an empty database with demo data',
    isSecret: false,
  }),
  machines: flag({
    value: 'DRIVER',
    fallback: 'auto',
    read: oneOf(machineDrivers),
    about:
      'How instances run: qemu, on this machine, emulated where KVM cannot be used; simulated; none, only on hosts that have joined; auto, with QEMU where KVM can be used, otherwise simulated, as those of --demo are',
    isSecret: false,
  }),
  external: flag({
    value: 'LIST',
    fallback: '',
    read: networks,
    about:
      'Networks of external addresses that this machine leads to guests, such as 203.0.113.0/24; for a server that runs as root without the network helper',
    isSecret: false,
  }),
  tunnelAddress: flag({
    value: 'ADDRESS',
    fallback: '',
    read: ipAddress,
    about:
      'IP address of this machine at which it takes packets of VPCs from other hosts, so that a VPC spans them; for a server that runs as root without the network helper',
    isSecret: false,
  }),
  adminSilo: flag({
    value: 'NAME',
    fallback: 'main',
    read: name,
    about: 'First start: name of the silo',
    isSecret: false,
  }),
  adminUser: flag({
    value: 'NAME',
    fallback: 'admin',
    read: name,
    about: 'First start: name of the administrator',
    isSecret: false,
  }),
  adminPassword: flag({
    value: 'TEXT',
    fallback: '',
    read: password,
    about:
      'First start: password of the administrator, 12 characters or more (random; other users see flags, so prefer the variable)',
    isSecret: true,
  }),
  sessionIdleMinutes: flag({
    value: 'NUMBER',
    fallback: '480',
    read: whole(1, minutesOfAYear),
    about: 'Minutes until an idle session ends',
    isSecret: false,
  }),
  sessionAbsoluteMinutes: flag({
    value: 'NUMBER',
    fallback: '1440',
    read: whole(1, minutesOfAYear),
    about: 'Minutes until any session ends',
    isSecret: false,
  }),
  auditDays: flag({
    value: 'NUMBER',
    fallback: '730',
    read: whole(1, 36_500),
    about: 'Days to keep entries of the audit log',
    isSecret: false,
  }),
  limits: flag({
    value: 'LIST',
    fallback: '',
    read: counts,
    about: 'Limits on the number of resources, such as vpc-per-project=20,instance-per-silo=500',
    isSecret: false,
  }),
  zone: flag({
    value: 'DOMAIN',
    fallback: defaultZone,
    read: domain,
    about: 'Domain of the host names of silos: their certificates are for SILO.sys.DOMAIN',
    isSecret: false,
  }),
  tls: flag({
    fallback: 'false',
    read: onOff,
    about: 'Serve HTTPS only with the certificates of the silos, each at its host name',
    isSecret: false,
  }),
  tlsCert: flag({
    value: 'FILE',
    fallback: '',
    read: optional,
    about: 'Certificate chain (PEM) for all other host names; serves HTTPS, together with --tls-key',
    isSecret: false,
  }),
  tlsKey: flag({
    value: 'FILE',
    fallback: '',
    read: optional,
    about: 'Private key (PEM) of the certificate',
    isSecret: false,
  }),
  publicUrl: flag({
    value: 'URL',
    fallback: '',
    read: origin,
    about: 'Address that browsers use, if a proxy changes it: https://cloud.example.org',
    isSecret: false,
  }),
  behindProxy: flag({
    fallback: 'false',
    read: onOff,
    about:
      'Trust X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto; only if all requests come through your own proxy',
    isSecret: false,
  }),
  maxConnections: flag({
    value: 'NUMBER',
    fallback: '4096',
    read: whole(1, 1_000_000),
    about: 'Maximum number of connections',
    isSecret: false,
  }),
  maxConnectionsPerAddress: flag({
    value: 'NUMBER',
    fallback: '512',
    read: whole(1, 1_000_000),
    about: 'Maximum number of connections from one address, or one /64 of IPv6; not with --behind-proxy',
    isSecret: false,
  }),
  metricsToken: flag({
    value: 'TEXT',
    fallback: '',
    read: metricsToken,
    about:
      'Bearer token with which /metrics is read from other machines (other users see flags, so prefer the variable)',
    isSecret: true,
  }),
  tracesTo: flag({
    value: 'URL',
    fallback: '',
    read: collectorUrl,
    about: 'Collector that gets traces (OTLP over HTTP): http://127.0.0.1:4318/v1/traces',
    isSecret: false,
  }),
  tracesRatio: flag({
    value: 'NUMBER',
    fallback: '1',
    read: ratio,
    about: 'Share of requests and rounds of loops to trace, 0 to 1; a request with traceparent follows that',
    isSecret: false,
  }),
  tracesHeaders: flag({
    value: 'LIST',
    fallback: '',
    read: tracesHeaders,
    about: 'Headers for the collector of --traces-to, such as Authorization=Bearer%20TOKEN',
    isSecret: true,
    isOnlyVariable: true,
  }),
  webhooksRefuse: flag({
    value: 'LIST',
    fallback: '',
    read: networks,
    about:
      'Networks that alerts are never sent to, such as 10.20.0.0/16: name those of the management of your hosts',
    isSecret: false,
  }),
  webhooksAllow: flag({
    value: 'LIST',
    fallback: '',
    read: networks,
    about:
      'Networks that alerts may be sent to although they are refused otherwise: loopback, link-local, multicast, fc00::/7',
    isSecret: false,
  }),
  imagesRefuse: flag({
    value: 'LIST',
    fallback: '',
    read: networks,
    about:
      'Networks that images are never fetched from, in addition to private ones and those of --webhooks-refuse',
    isSecret: false,
  }),
  imagesAllow: flag({
    value: 'LIST',
    fallback: '',
    read: networks,
    about:
      'Networks that images may be fetched from although they are refused otherwise, such as that of your mirror: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, loopback, link-local, multicast, fc00::/7',
    isSecret: false,
  }),
  smtpUrl: flag({
    value: 'URL',
    fallback: '',
    read: smtpUrl,
    about:
      'SMTP server for alerts by e-mail: smtp://user@mail.example.org:587 with STARTTLS, or smtps:// with TLS from the start',
    isSecret: false,
  }),
  smtpPasswordFile: flag({
    value: 'FILE',
    fallback: '',
    read: optional,
    about: 'File with the password of the user of --smtp-url',
    isSecret: false,
  }),
  smtpPassword: flag({
    value: 'TEXT',
    fallback: '',
    read: optional,
    about: 'The password itself, instead of the file (other users see flags, so prefer the variable)',
    isSecret: true,
  }),
  smtpWithoutTls: flag({
    fallback: 'false',
    read: onOff,
    about:
      'Send e-mail and the password unencrypted if the SMTP server offers no STARTTLS; on the machine itself this is the default',
    isSecret: false,
  }),
  mailFrom: flag({
    value: 'ADDRESS',
    fallback: '',
    read: emailAddress,
    about: 'Address that alerts by e-mail come from',
    isSecret: false,
  }),
  backupTo: flag({
    value: 'FOLDER',
    fallback: '',
    read: optional,
    about: 'Folder for scheduled backups, on another machine or disk; without it none are scheduled',
    isSecret: false,
  }),
  backupEvery: flag({
    value: 'HOURS',
    fallback: '24',
    read: whole(1, 8_760),
    about: 'Hours from one scheduled backup to the next',
    isSecret: false,
  }),
  backupKeep: flag({
    value: 'NUMBER',
    fallback: '7',
    read: backupsKept,
    about: 'Number of backups to keep in the folder; older ones are deleted',
    isSecret: false,
  }),
  logLevel: flag({
    value: 'LEVEL',
    fallback: 'info',
    read: oneOf(levels),
    about: `Log level on stderr: ${levels.join(', ')}`,
    isSecret: false,
  }),
}
