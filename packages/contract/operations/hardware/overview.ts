/** Of our own: the problems and the work that operators look at first, as far as no list has them. */
import { op } from '#/op.ts'
import { severities } from '#/rules/alerts/attention.ts'
import { limits } from '#/rules/limits.ts'
import { array, enumOf, nullable, number, object, ref, string, time, unlimited } from '#/schema.ts'
import { Name, Uuid } from '#/schemas/scalar.ts'
import { Delivery } from '../alerts/receivers.ts'
import { trend } from '../silos/silos.ts'
import { Maintenance } from './hardware.ts'

const few = (noun: string) => ({ count: limits.overview.failures, noun })

export const systemOverview = op({
  method: 'GET', path: '/v1/system/overview', allow: 'fleet.viewer', ok: 200, tag: 'system/hardware',
  response: ref('SystemOverview', object({
    failedDeliveries: array(ref('FailedDelivery', object({
      receiverName: Name, delivery: Delivery,
    })), few('deliveries')),
    expiringCertificates: array(ref('ExpiringCertificate', object({
      id: Uuid, name: Name, siloName: Name, notAfter: time(),
    })), few('certificates')),
    /** Days with their fractions. */
    scarcePools: array(ref('ScarcePool', object({
      id: Uuid, name: Name, severity: nullable(enumOf(severities)), used: number(), capacity: number(),
      ...trend,
    })), few('pools')),
    maintenance: array(ref('SledInMaintenance', object({
      sledId: Uuid, serial: string(unlimited), maintenance: Maintenance,
    })), few('sleds')),
  })),
})
