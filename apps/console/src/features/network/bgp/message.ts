/** A message of BGP (RFC 4271) as a switch reports it, whose fields depend on the switch. */
interface Message {
  /** Undefined where the switch does not say it. */
  time: Date | undefined
  direction: string
  type: string
  detail: string
  /** All that the switch reports. */
  raw: string
}

const types: Readonly<Record<string, string>> = {
  open: 'Open',
  update: 'Update',
  keepalive: 'Keepalive',
  notification: 'Notification',
}
const directions: Readonly<Record<string, string>> = { sent: 'Sent', received: 'Received' }

/** A message in the words of people. Of one with other fields, only the raw text is known. */
export function messageOf(reported: unknown): Message {
  const field = (name: string): string => {
    const value: unknown =
      typeof reported === 'object' && reported !== null ? Reflect.get(reported, name) : ''
    return typeof value === 'string' ? value : ''
  }
  const [type, direction, text] = [field('type'), field('direction'), field('text')]
  const time = new Date(field('time'))
  return {
    time: Number.isNaN(time.getTime()) ? undefined : time,
    direction: directions[direction] ?? direction,
    type: types[type] ?? type,
    detail: type === 'update' && text !== '' ? `Networks: ${text}` : text,
    raw: typeof reported === 'string' ? reported : JSON.stringify(reported, null, 1),
  }
}
