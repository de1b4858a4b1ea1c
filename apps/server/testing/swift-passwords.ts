/**
 * Imported before the program of a server that is under test (`node --import`): a hash costs it milliseconds in place of a second
 * of a processor. No flag of the server does this.
 */
import { standard } from '../process/passwords.ts'

Object.assign(standard, { memoryCost: 64, timeCost: 1 })
