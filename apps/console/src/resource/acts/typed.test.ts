import { describe, expect, it } from 'vitest'
import { isVerb, nounsOf, readAct } from './typed.ts'
import { actText } from './words.ts'

const labels = [
  'Copy ID',
  'Start',
  'Stop',
  'Force stop',
  'Attach',
  'Move to …',
  'Delete',
  'Roll disk back',
  'View serial console',
  'Who can delete this disk?',
]
const read = (text: string) =>
  readAct(text, { labels, nouns: nounsOf(['instance', 'disk', 'floatingIp', 'vpc', 'instanceSnapshot']) })

describe('an action that is typed', () => {
  it('stands before a name or after it', () => {
    expect(read('stop web-03')).toEqual({ verb: ['stop'], object: { text: 'web-03' } })
    expect(read('  web-03   Stop ')).toEqual({ verb: ['stop'], object: { text: 'web-03' } })
    expect(read('force stop web-03')).toEqual({ verb: ['force', 'stop'], object: { text: 'web-03' } })
    expect(read('roll back nightly')).toEqual({ verb: ['roll', 'back'], object: { text: 'nightly' } })
    expect(read('sto web')).toEqual({ verb: ['sto'], object: { text: 'web' } })
  })

  it('is one with a name only, and not a letter of another word', () => {
    for (const text of ['', 'stop', 'web-03', 's web', 'web st', 'web server', 'stopping web'])
      expect(read(text)).toBeUndefined()
  })

  it('may say the kind of the resource', () => {
    expect(read('delete vpc prod')).toEqual({ verb: ['delete'], object: { text: 'prod', kind: 'vpc' } })
    expect(read('floating ip front delete')).toEqual({
      verb: ['delete'],
      object: { text: 'front', kind: 'floatingIp' },
    })
    expect(read('delete instance snapshot monday')).toEqual({
      verb: ['delete'],
      object: { text: 'monday', kind: 'instanceSnapshot' },
    })
    expect(read('delete vpc')).toEqual({ verb: ['delete'], object: { text: 'vpc' } })
  })

  it('may say a second resource', () => {
    expect(read('attach disk data to web-03')).toEqual({
      verb: ['attach'],
      object: { text: 'data', kind: 'disk' },
      given: { text: 'web-03' },
    })
    expect(read('move 10.0.0.5 to instance web-04')).toEqual({
      verb: ['move'],
      object: { text: '10.0.0.5' },
      given: { text: 'web-04', kind: 'instance' },
    })
    expect(read('attach data to')).toEqual({ verb: ['attach'], object: { text: 'data' } })
    expect(read('start to')).toEqual({ verb: ['start'], object: { text: 'to' } })
  })
})

it('the words of an action are typed in their order, the first of them always', () => {
  expect(isVerb(['view', 'con'], 'View serial console')).toBe(true)
  expect(isVerb(['console'], 'View serial console')).toBe(false)
  expect(isVerb(['view', 'console', 'serial'], 'View serial console')).toBe(false)
  expect(isVerb(['who', 'disk'], 'Who can delete this disk?')).toBe(true)
})

it.each([
  ['rename', 'Edit'],
  ['grow', 'Enlarge'],
  ['restart', 'Reboot'],
  ['shut down', 'Stop'],
  ['restore', 'Roll back'],
  ['tag', 'Change tags'],
  ['unprotect', 'Remove protection'],
  ['destroy', 'Delete'],
])('%s is another name of %s', (typed, label) => {
  expect(isVerb(typed.split(' '), label)).toBe(true)
  expect(readAct(`${typed} web-03`, { labels: [label], nouns: [] })).toEqual({
    verb: typed.split(' '),
    object: { text: 'web-03' },
  })
})

it('an action is called by its name, the resource, and the second one', () => {
  expect(actText('Stop', 'web-03')).toBe('Stop web-03')
  expect(actText('Move to …', 'front')).toBe('Move front to …')
  expect(actText('Move to …', 'front', 'web-04')).toBe('Move front to web-04')
  expect(actText('Attach', 'data', 'web-04')).toBe('Attach data to web-04')
})
