/** The commands that are not operations of the API. Their code is loaded when they run. */
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
  ...shells.map((shell) => ({
    words: `completion ${shell}`,
    about: `Print the completion for ${shell}`,
    options: [],
    run: async (io: Io) => (await import('../completion/scripts.ts')).printScript(io, shell),
  })),
]
