import { createServer } from 'node:http'
import { measure } from './load.ts'
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
const variant = process.argv[2]
if (variant) {
  const item = { id: crypto.randomUUID(), name: 'vm-0000001', description: 'Made to be measured', time_created: new Date(), time_modified: new Date(), project_id: crypto.randomUUID(), ncpus: 2, memory: 4294967296, hostname: 'vm-0000001', run_state: 'stopped', time_run_state_updated: new Date(), boot_disk_id: null, auto_restart_enabled: true, auto_restart_policy: null }
  const text = JSON.stringify({ items: Array.from({ length: 50 }, () => item), next_page: null })
  const buffer = Buffer.from(text)
  const server = createServer((_, res) => {
    if (variant === 'string') { res.setHeader('content-type', 'application/json'); res.end(text) }
    if (variant === 'buffer') { res.setHeader('content-type', 'application/json'); res.end(buffer) }
    if (variant === 'writehead') { res.writeHead(200, ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(text))]); res.end(text) }
    if (variant === 'writeheadbuffer') { res.writeHead(200, ['content-type', 'application/json', 'content-length', String(buffer.length)]); res.end(buffer) }
  })
  server.listen(0, '127.0.0.1', () => process.send!(server.address().port))
} else {
  for (let r = 0; r < 2; r++)
  for (const v of ['string', 'buffer', 'writehead', 'writeheadbuffer']) {
    const c = fork(fileURLToPath(import.meta.url), [v])
    const port = await new Promise((ok) => c.once('message', ok))
    console.log(v, await measure({ origin: `http://127.0.0.1:${port}`, method: 'GET', path: '/', connections: 10, warmSeconds: 1, seconds: 2 }))
    c.kill()
  }
}
