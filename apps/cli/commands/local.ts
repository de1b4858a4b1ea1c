/** The commands that are not operations of the API. Their code is loaded when they run. */
import { CliError } from '../errors.ts'
import type { Io } from '../io.ts'

/** The values of a local command's flags: texts, or true for those without a value. */
export type Options = Readonly<Record<string, string | boolean | undefined>>

export interface LocalOption {
  /** As in `--host <url>`. */
  flags: string
  about: string
  isRequired?: true
}

export interface LocalCommand {
  words: string
  /** An order, such as `Sign in`. */
  about: string
  options: readonly LocalOption[]
  run: (io: Io, options: Options) => Promise<void>
}

const profile: LocalOption = {
  flags: '--profile <name>',
  about: 'The profile; the current one unless given.',
}
const inProject: LocalOption = {
  flags: '--project <name>',
  about: 'The name or id of the project.',
  isRequired: true,
}
const upload: readonly LocalOption[] = [
  { flags: '--file <file>', about: 'The file: the raw bytes of a disk.', isRequired: true },
  { flags: '--description <text>', about: 'A text for people.' },
  { flags: '--block-size <bytes>', about: '512, 2048 or 4096; 512 unless given.' },
  profile,
]
const document: readonly LocalOption[] = [
  { flags: '-f, --file <file>', about: 'The document; - is standard input.', isRequired: true },
  { flags: '--prune', about: 'Delete resources in the lists of the document that are not in them.' },
]
const shells = ['bash', 'zsh', 'fish'] as const

export const localCommands: readonly LocalCommand[] = [
  {
    words: 'login',
    about: 'Sign in to a server in the browser, and keep the token in a profile',
    options: [
      { flags: '--host <url>', about: 'The address of the server; that of the profile unless given.' },
      { flags: '--profile <name>', about: 'The name of the profile; `default` unless given.' },
      { flags: '--ttl-seconds <seconds>', about: 'How long the token is valid, in seconds.' },
    ],
    run: async (io, options) => (await import('../profiles/login.ts')).login(io, options),
  },
  {
    words: 'profile list',
    about: 'List the profiles',
    options: [],
    run: async (io) => (await import('../profiles/commands.ts')).list(io),
  },
  {
    words: 'profile use',
    about: 'Choose the profile that commands use',
    options: [{ ...profile, isRequired: true }],
    run: async (io, options) => (await import('../profiles/commands.ts')).use(io, options),
  },
  {
    words: 'profile remove',
    about: 'Delete the token of a profile on its server, and remove the profile',
    options: [{ ...profile, isRequired: true }],
    run: async (io, options) => (await import('../profiles/commands.ts')).remove(io, options),
  },
  {
    words: 'watch',
    about:
      'Show the answer of a command that reads, and then its changes: `purlin watch instance list --project demo`',
    options: [],
    run: () =>
      Promise.reject(
        new CliError('usage', 'expected a command that reads, such as purlin watch project list'),
      ),
  },
  {
    words: 'disk import',
    about: 'Import a file as a disk; the same command continues after an interruption',
    options: [
      inProject,
      { flags: '--name <name>', about: 'The name of the new disk.', isRequired: true },
      ...upload,
    ],
    run: async (io, options) => (await import('../uploads/import.ts')).importDisk(io, options),
  },
  {
    words: 'image upload',
    about: 'Upload a file as an image; the same command continues after an interruption',
    options: [
      inProject,
      { flags: '--name <name>', about: 'The name of the new image.', isRequired: true },
      { flags: '--os <name>', about: 'The operating system, such as debian.', isRequired: true },
      { flags: '--version <text>', about: 'The version of the operating system.', isRequired: true },
      { flags: '--tags <json>', about: 'The tags of the image, such as {"env": "prod"}.' },
      { flags: '--protected', about: 'Protect the image from deletion.' },
      ...upload,
    ],
    run: async (io, options) => (await import('../uploads/import.ts')).uploadImage(io, options),
  },
  {
    words: 'export',
    about: 'Write a project, or silos, pools and policies, as one YAML document',
    options: [
      { flags: '--project <name>', about: 'The project.' },
      { flags: '--system', about: 'Silos, IP pools and the policy of the fleet.' },
      profile,
    ],
    run: async (io, options) => (await import('../documents/commands.ts')).exportDocument(io, options),
  },
  {
    words: 'plan',
    about: 'Show the changes that apply would make for a document',
    options: [
      ...document,
      { flags: '--exit-code', about: 'End with the exit code 11 if there are changes.' },
      profile,
    ],
    run: async (io, options) => (await import('../documents/commands.ts')).plan(io, options),
  },
  {
    words: 'apply',
    about: 'Make the changes for a document; it can be repeated after any failure',
    options: [...document, { flags: '--yes', about: 'Delete without asking.' }, profile],
    run: async (io, options) => (await import('../documents/commands.ts')).apply(io, options),
  },
  ...shells.map((shell) => ({
    words: `completion ${shell}`,
    about: `Print the completion for ${shell}`,
    options: [],
    run: async (io: Io) => (await import('../completion/scripts.ts')).printScript(io, shell),
  })),
]
