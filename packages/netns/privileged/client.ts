/** The server's end: asks the helper with the rights. */
import { request } from 'node:http'
import { encode, jsonText } from '@purlin/contract/wire'
import { parse } from '@purlin/core/http/validate'
import { SledUnreachable } from '@purlin/core/ports'
import { readAll } from '@purlin/remote/lines'
import type { Out } from '@purlin/contract/schema'
import { calls, longestBody, type CallName } from './calls.ts'
import type { HostNetworks } from './networks.ts'

/** Calls wait for others, each of which may have many commands. */
const usual = { longestMs: 30_000 }

/** The helper behind a socket. Each call throws SledUnreachable if it does not answer in time. */
export function networksAt(socketPath: string, { longestMs } = usual): HostNetworks {
  const ask = <K extends CallName>(name: K, input: Out<(typeof calls)[K]['input']>) =>
    post({ socketPath, name, longestMs }, input) as Promise<Out<(typeof calls)[K]['output']>>
  return {
    set: async (network) => void (await ask('set', network)),
    held: () => ask('held', {}),
    named: () => ask('named', {}),
    prepare: (nicIds) => ask('prepare', { nicIds: [...nicIds] }),
    connect: async (nicIds) => void (await ask('connect', { nicIds: [...nicIds] })),
    release: async (nicIds) => void (await ask('release', { nicIds: [...nicIds] })),
    traffic: (nicIds) => ask('traffic', { nicIds: [...nicIds] }),
    clear: async () => void (await ask('clear', {})),
  }
}

/** True if a helper answers at a socket soon. */
export const answersAt = (socketPath: string, longestMs = 5_000): Promise<boolean> =>
  networksAt(socketPath, { longestMs })
    .held()
    .then(
      () => true,
      () => false,
    )

interface Call {
  socketPath: string
  name: CallName
  longestMs: number
}

async function post(call: Call, input: unknown): Promise<unknown> {
  const schema = calls[call.name]
  const { status, text } = await exchange(call, jsonText(encode<unknown>(schema.input, input)))
  const body: unknown = JSON.parse(text)
  if (status === 200) return parse<unknown>(schema.output, body)
  const { message = 'no reason' } = body as { message?: string }
  throw new Error(`the network helper refuses: ${message}`)
}

function exchange({ socketPath, name, longestMs }: Call, body: string) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(new SledUnreachable(`the network helper does not answer: ${error.message}`))
    const signal = AbortSignal.timeout(longestMs)
    const to = { socketPath, path: `/${name}`, method: 'POST', agent: false, signal } as const
    const asking = request(to, (response) => {
      readAll(response, longestBody).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, text: bytes.toString('utf8') }),
        fail,
      )
    })
    asking.on('error', fail)
    asking.end(body)
  })
}
