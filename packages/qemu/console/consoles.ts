/** The open consoles of a machine. */
import type { Clock } from '@purlin/core/ports'
import { Display } from './display.ts'
import { Serial } from './serial.ts'

export class Consoles {
  readonly serial: Serial
  readonly display: Display

  constructor(files: () => { log: string; serial: string; screen: string }, clock: Clock) {
    this.serial = new Serial({ log: files().log, socket: () => files().serial })
    this.display = new Display(() => files().screen, clock)
  }

  /** Ends all, after the last output. */
  async closeAll(reason: string): Promise<void> {
    this.display.closeAll(reason)
    await this.serial.closeAll(reason)
  }
}
