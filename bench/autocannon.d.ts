/** The part of autocannon that load.ts uses; the package has no type declarations. */
declare module 'autocannon' {
  export interface Request {
    method: 'GET' | 'POST'
    path: string
    headers: Record<string, string>
    body?: string
    /** Called before each sending. */
    setupRequest?: (request: Request) => Request
  }
  export interface Options {
    url: string
    connections: number
    /** seconds */
    duration: number
    requests: Request[]
  }
  export interface Instance extends Promise<{ errors: number; timeouts: number }> {
    on(event: 'response', heard: (client: unknown, status: number, bytes: number, ms: number) => void): this
  }
  export default function autocannon(options: Options): Instance
}
