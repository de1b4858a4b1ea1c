/** The settings with which a server sends e-mail. */
import { readFileSync } from 'node:fs'
import type { World } from '@purlin/core'
import { isLoopback, type Config } from '../process/config.ts'
import { startError } from '../process/start-errors.ts'
import type { SmtpServer } from './sender.ts'

type MailConfig = Pick<
  Config,
  'smtpUrl' | 'smtpPassword' | 'smtpPasswordFile' | 'smtpWithoutTls' | 'mailFrom' | 'publicUrl'
>

/** The sender of a server with settings of e-mail; nothing without them. Throws StartError for an unreadable file. */
export async function mailOf(config: MailConfig): Promise<Pick<World, 'mail'>> {
  const { smtpUrl, mailFrom: from, publicUrl } = config
  if (smtpUrl === undefined || from === undefined) return {}
  // Servers without e-mail do not load the library.
  const { createMailSender } = await import('./sender.ts')
  const sender = createMailSender({ server: serverOf(new URL(smtpUrl), config), from })
  return { mail: { sender, ...(publicUrl === undefined ? {} : { alertsUrl: `${publicUrl}/system/alerts` }) } }
}

/** The SMTP server of a URL. */
export function serverOf(url: URL, config: MailConfig): SmtpServer {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isImplicit = url.protocol === 'smtps:'
  const mayBePlain = config.smtpWithoutTls || isLoopback(host)
  const user = decodeURIComponent(url.username)
  return {
    host,
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'from the start' : mayBePlain ? 'if offered' : 'required',
    ...(user === '' ? {} : { login: { user, password: passwordOf(config) } }),
  }
}

function passwordOf({ smtpPassword, smtpPasswordFile: file }: MailConfig): string {
  if (file === undefined) return smtpPassword ?? ''
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw startError.passwordFile(file, error)
  }
}
