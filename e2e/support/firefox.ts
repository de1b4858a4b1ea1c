#!/usr/bin/env node
/**
 * Starts Firefox in Playwright's place and passes WebDriver BiDi on between the two. Playwright sends commands for
 * every page that the Firefox of Debian does not know yet; those that no journey needs count as done.
 */
import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/** The user's preferences that a page sees, such as dark colours: a journey chooses them in the console instead. */
const optional = new Set(['emulation.setMediaFeaturesOverride'])
const ready = /WebDriver BiDi listening on (ws:\S+)/

interface Answer {
  type: 'success' | 'error'
  id: number
  error?: string
  message?: string
}

const program = process.env['PURLIN_FIREFOX'] ?? 'firefox-esr'
const firefox = spawn(program, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => firefox.kill(signal))

let said = ''
let isServing = false
firefox.stderr.on('data', (chunk: Buffer) => {
  said += chunk.toString()
  const address = ready.exec(said)?.[1]
  if (address === undefined) process.stderr.write(chunk)
  else if (!isServing) serve(address)
})

/** Listens for Playwright and prints the address. */
function serve(address: string): void {
  isServing = true
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => {
    const { port } = server.address() as AddressInfo
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${port}`)
  })
  server.on('connection', (playwright, { url = '' }) => {
    const browser = new WebSocket(address + url)
    const isOpen = new Promise((resolve) => browser.once('open', resolve))
    playwright.on('message', (command: RawData) => void isOpen.then(() => browser.send(textOf(command))))
    browser.on('message', (message: RawData) => playwright.send(excused(textOf(message))))
    playwright.on('close', () => browser.close())
    browser.on('close', () => playwright.close())
  })
}

// Both ends send text.
const textOf = (message: RawData) => (message as Buffer).toString()

/** The answer to an optional command is never an error. */
function excused(message: string): string {
  if (!message.includes('"unknown command"')) return message
  const { id, message: reason = '' } = JSON.parse(message) as Answer
  return optional.has(reason) ? JSON.stringify({ type: 'success', id, result: {} }) : message
}
