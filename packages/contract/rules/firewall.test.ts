import { expect, it } from 'vitest'
import { isPortRange } from './firewall.ts'

it('a port filter is one to five digits, or a rising range of two', () => {
  for (const good of ['1', '65535', ' 80 ', '80-80', '80-443']) expect(isPortRange(good)).toBe(true)
  for (const bad of ['', '123456', '443-80', '80-', '-80', 'a', '1-2-3', '80 - 90'])
    expect(isPortRange(bad)).toBe(false)
})
