/**
 * Loaded into the server of the screenshots before its own code: every run has the same time, ids and random bytes, so
 * that a picture differs from the last one only if its screen does.
 */
import crypto, { type UUID } from 'node:crypto'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { startOfWorld } from './screens.ts'

const systemNow = Date.now
const offset = startOfWorld - systemNow()
Date.now = () => systemNow() + offset

// Node writes the time of the system into the header from which the console takes the server's time.
// oxlint-disable-next-line unbound-method -- it is called with its object below
const { writeHead } = ServerResponse.prototype
Object.assign(ServerResponse.prototype, {
  writeHead(this: ServerResponse, status: number, fields: string[]) {
    return writeHead.call(this, status, [...fields, 'date', new Date(Date.now()).toUTCString()])
  },
})

let count = 0
const next = () => crypto.hash('sha256', String(++count))
crypto.randomUUID = () => {
  const hex = next()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}` as UUID
}
// Core asks for some bytes at a time and never passes a callback.
const bytes = (size: number) => {
  const parts = Array.from({ length: Math.ceil(size / 32) }, () => Buffer.from(next(), 'hex'))
  return Buffer.concat(parts, size)
}
Object.assign(crypto, { randomBytes: bytes })
syncBuiltinESMExports()
