/**
 * A guest of 512 bytes: it writes a line to its serial port, then echoes its input, and powers off when the power button is pressed or
 * when it reads Ctrl+D. Firmware starts it from the first sector of a disk.
 */

const greeting = 'tiny guest\r\n'

const code = [
  // Segments; the power button sets its bit (ACPI: PM1 enable at 602h).
  '31c0 8ed8 8ed0 bc007c fb ba0206 b80001 ef',
  // Writes the greeting at 7C60h to the first serial port.
  'be607c ac 84c0 7406 baf803 ee ebf5',
  // Off, if the power button was pressed (PM1 status at 600h).
  'ba0006 ed f6c401 7528',
  // Again, unless there is input.
  'bafd03 ec a801 74ef',
  // Off at Ctrl+D; else echoes, with a line feed after a carriage return.
  'baf803 ec 3c04 7418 ee 3c0d 75e2 b00a ee ebdd',
]
const offAt = 0x50
/** Powers off (PM1 control at 604h: soft off), as q35 has it. */
const off = 'ba0406 b80020 ef f4 ebfd'

/** The first sector of a disk with the guest. */
export function tinyGuest(): Uint8Array {
  const sector = Buffer.alloc(512)
  const main = Buffer.from(code.join('').replaceAll(' ', ''), 'hex')
  main.copy(sector)
  Buffer.from(off.replaceAll(' ', ''), 'hex').copy(sector, offAt)
  sector.write(greeting, 0x60, 'latin1')
  sector.writeUInt16LE(0xaa55, 510)
  return sector
}
