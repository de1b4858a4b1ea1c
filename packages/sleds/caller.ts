/** A driver as one of several servers reaches it: its calls belong to the epochs that it has announced. */
import type { HolderEpochs, SledDriver } from '@purlin/core/ports'

/** Changes of an older epoch than the newest one that any caller has announced throw DrivenElsewhere. */
export function callerOf(driver: SledDriver, epochs: HolderEpochs): SledDriver {
  const own = new Map<string, number>()
  const require = (sledId: string) => epochs.require(sledId, own.get(sledId) ?? 0)
  const changes: Partial<SledDriver> = {
    async hold(sledId, epoch) {
      own.set(sledId, epoch)
      require(sledId)
      await driver.hold(sledId, epoch)
    },
    async ensure(id, spec) {
      require(spec.sledId)
      await driver.ensure(id, spec)
    },
    async remove(id, sledId, boot) {
      require(sledId)
      await driver.remove(id, sledId, boot)
    },
    async shutDown(id, sledId, boot) {
      require(sledId)
      await driver.shutDown(id, sledId, boot)
    },
    async setLayers(id, sledId, to) {
      require(sledId)
      await driver.setLayers(id, sledId, to)
    },
    async migrate(id, migration) {
      require(migration.spec.sledId)
      await driver.migrate(id, migration)
    },
    async setNetwork(sledId, network) {
      require(sledId)
      await driver.setNetwork(sledId, network)
    },
  }
  return new Proxy(driver, {
    get(_, name) {
      const value: unknown = Reflect.get(changes, name) ?? Reflect.get(driver, name, driver)
      return typeof value === 'function' ? (value.bind(driver) as unknown) : value
    },
  })
}
