import { kind } from '../kind.ts'

export const vpcRouterRoute = kind({
  noun: 'route',
  type: 'router-route',
  field: 'route',
  parent: 'vpcRouter',
  counts: { vpcRouter: 1_000 },
  recorded: {
    destination: { field: 'destinationJson', form: 'routeEnd' },
    target: { field: 'targetJson', form: 'routeEnd' },
  },
})
