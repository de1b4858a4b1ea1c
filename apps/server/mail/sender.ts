/** Sends alerts by e-mail through an SMTP server, each message by a separate connection. Decision 0072. */
import { createTransport } from 'nodemailer'
import { messageOf } from '@purlin/databases/error-codes'
import { SendInterrupted, type MailMessage, type MailOutcome, type MailSender } from '@purlin/core/ports'

/** An SMTP server, and how it is reached. */
export interface SmtpServer {
  host: string
  port: number
  /** Where it may be missing, certificates are not verified either: a man in the middle could leave TLS out as well. */
  tls: 'from the start' | 'required' | 'if offered'
  login?: { user: string; password: string }
}

export interface MailOptions {
  server: SmtpServer
  /** The address of the sender. */
  from: string
  /** ms until the SMTP server has taken a connection; 10 s unless given */
  connectMs?: number
  /** ms; 30 s unless given */
  totalMs?: number
  /** Certificate authorities (PEM) to trust instead of those of Node. */
  ca?: string
}

/** Makes the sender of a server. */
export function createMailSender(options: MailOptions): MailSender {
  const { from, totalMs = 30_000 } = options
  const transport = transportTo(options)
  const running = new Set<AbortController>()

  async function hand(message: MailMessage, signal: AbortSignal): Promise<MailOutcome> {
    const { id, to, subject, text, html, sentAt, headers } = message
    const { response, rejectedErrors = [] } = await transport.sendMail({
      from: { name: 'Purlin', address: from },
      to: [...to],
      subject,
      text,
      html,
      date: new Date(sentAt),
      messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
      // Robots do not answer such messages (RFC 3834).
      headers: { ...headers, 'auto-submitted': 'auto-generated' },
      signal,
    })
    return outcomeOf(response, rejectedErrors)
  }

  return {
    async send(message) {
      const stopped = new AbortController()
      running.add(stopped)
      const timeout = AbortSignal.timeout(totalMs)
      try {
        return await hand(message, AbortSignal.any([stopped.signal, timeout]))
      } catch (error) {
        if (stopped.signal.aborted) throw new SendInterrupted('the server is stopping')
        if (timeout.aborted)
          return { result: 'failed_timeout', reason: `no answer within ${totalMs / 1000} seconds` }
        return failureOf(error)
      } finally {
        running.delete(stopped)
      }
    },
    stop: () => {
      for (const one of running) one.abort()
    },
  }
}

function transportTo({ server, connectMs = 10_000, totalMs = 30_000, ca }: MailOptions) {
  const { host, port, tls, login } = server
  return createTransport({
    host,
    port,
    secure: tls === 'from the start',
    requireTLS: tls === 'required',
    tls: { rejectUnauthorized: tls !== 'if offered', ...(ca === undefined ? {} : { ca }) },
    ...(login ? { auth: { user: login.user, pass: login.password }, forceAuth: true } : {}),
    connectionTimeout: connectMs,
    dnsTimeout: connectMs,
    greetingTimeout: totalMs,
    socketTimeout: totalMs,
    allowInternalNetworkInterfaces: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** A failure of the library: some have the answer of the SMTP server. */
interface SmtpError {
  code?: string | undefined
  responseCode?: number | undefined
  response?: string | undefined
  recipient?: string | undefined
}
const isSmtpError = (error: unknown): error is Error & SmtpError => error instanceof Error
const isTemporary = ({ responseCode = 0 }: SmtpError) => responseCode >= 400 && responseCode < 500

/**
 * The outcome of a message that was taken for some addresses at least. If another one is refused for now, the message is
 * sent to all of them again.
 */
function outcomeOf(response: string, refused: readonly SmtpError[]): MailOutcome {
  const reason =
    refused.length === 0
      ? null
      : oneLine(refused.map((one) => `${one.recipient ?? ''}: ${one.response ?? ''}`).join('; '))
  const status = refused.find(isTemporary)?.responseCode ?? statusOf(response)
  return { status, reason }
}

function failureOf(error: unknown): MailOutcome {
  const { code, responseCode, response } = isSmtpError(error) ? error : {}
  const reason = oneLine(response ?? messageOf(error))
  if (code === 'ETIMEDOUT') return { result: 'failed_timeout', reason }
  if (code === 'ETLS')
    return {
      result: 'failed_unreachable',
      reason: `the SMTP server offers no STARTTLS (${reason}): an operator can do without by --smtp-without-tls`,
    }
  return responseCode === undefined
    ? { result: 'failed_unreachable', reason }
    : { status: responseCode, reason }
}

const statusOf = (response: string) => Number.parseInt(response, 10) || 0

/** Characters of a reason: a server may say as much as it likes. */
const reasonMost = 500
const oneLine = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, reasonMost)
    .toWellFormed()
