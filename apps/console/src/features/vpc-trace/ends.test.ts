import { expect, it } from 'vitest'
import { endChoices, type Nic } from './ends.ts'

const nic = (id: string, instanceId: string, ip: string): Nic => ({
  id,
  instanceId,
  ip,
  name: id,
  description: '',
  timeCreated: new Date(0),
  timeModified: new Date(0),
  vpcId: 'v',
  subnetId: 's',
  mac: 'A8:40:25:F0:00:01',
  primary: true,
  transitIps: [],
})

it('an instance is one choice, and several if it has several interfaces', () => {
  const instances = [
    { id: '2', name: 'web', runState: 'running' },
    { id: '1', name: 'db', runState: 'stopped' },
    { id: '3', name: 'elsewhere', runState: 'running' },
  ]
  const nics = [nic('net0', '2', '10.0.0.5'), nic('net1', '2', '10.0.1.5'), nic('only', '1', '10.0.0.6')]
  expect(endChoices(nics, instances)).toEqual([
    { value: 'db', label: 'db', description: '10.0.0.6 · stopped' },
    { value: 'net0', label: 'web / net0', description: '10.0.0.5' },
    { value: 'net1', label: 'web / net1', description: '10.0.1.5' },
  ])
})
