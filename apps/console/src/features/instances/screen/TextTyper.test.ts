import { expect, it } from 'vitest'
import { testTimer } from '../serial-console/testTimer.ts'
import type { SendKey } from './keys.ts'
import { typed } from './layouts.ts'
import { TextTyper } from './TextTyper.ts'

function typist() {
  const timer = testTimer()
  const sent: string[] = []
  const typer = new TextTyper(timer)
  const send: SendKey = (_, code, isDown) => void sent.push(`${isDown ? '+' : '-'}${code}`)
  const type = (text: string) => typer.type(typed(text, 'us').strokes, send)
  return { timer, sent, typer, type }
}

it('types one character after the other, with the keys that are held', () => {
  const { timer, sent, typer, type } = typist()
  type('aB')
  expect(sent).toEqual(['+KeyA', '-KeyA'])
  expect(typer.progress.get()).toBe(50)
  timer.advance(24)
  expect(sent.slice(2)).toEqual(['+ShiftLeft', '+KeyB', '-KeyB', '-ShiftLeft'])
  timer.advance(1000)
  expect(typer.progress.get()).toBeUndefined()
})

it('types nothing more once it is stopped, and begins again', () => {
  const { timer, sent, typer, type } = typist()
  type('x'.repeat(100))
  typer.stop()
  timer.advance(10_000)
  expect(sent).toHaveLength(2)
  type('y')
  expect(sent.at(-1)).toBe('-KeyY')
  expect(typer.progress.get()).toBe(100)
})
