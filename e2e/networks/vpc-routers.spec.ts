import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  find,
  fromRow,
  heading,
  menuItem,
  openRowMenu,
  pick,
  properties,
  row,
  textbox,
} from '../support/actions.ts'
import { makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const routers = 'vpcs/default/routers'

test('a person sends the packets of a subnet through an instance', async ({ page, own, api }) => {
  const project = await own('through')
  await makeInstance(api, { project, name: 'filter' })
  await openIn(page, project, routers)
  await page.getByRole('link', { name: 'New router' }).click()
  const create = dialog(page, 'Create router')
  await textbox(create, 'Name').fill('via-filter')
  await textbox(create, 'Description').fill('All goes through the filter')
  await button(create, 'Create router').click()
  await expectToast(page, 'Router via-filter created')
  await expect(row(page, 'via-filter')).toContainText('custom')
  await row(page, 'via-filter').getByRole('link', { name: 'via-filter' }).click()
  await expect(heading(page, 'via-filter')).toBeVisible()
  await expect(properties(page)).toContainText('custom')
  await expect(page.getByText('No routes', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'New route' }).first().click()
  const route = dialog(page, 'Create route')
  await textbox(route, 'Name').fill('everything')
  await button(route, 'Create route').click()
  await expect(route.getByText('Not a valid IP address')).toHaveCount(2)
  await pick(page, route, 'Destination type', 'IP network')
  await textbox(route, 'Destination value').fill('10.7.0.0')
  await expect(route.getByText('Must contain an IP address and a width')).toBeVisible()
  await textbox(route, 'Destination value').fill('10.7.0.0/16')
  await textbox(route, 'Target value').fill('fd00::1')
  await expect(route.getByText('Destination and target must be of the same IP version')).toBeVisible()
  await pick(page, route, 'Target type', 'Instance')
  const seen = route.getByRole('region', { name: 'Path of a packet' })
  await expect(seen).toContainText('Choose its target.')
  await find(page, route, 'Target value', 'filter')
  await expect(seen).toContainText('so no packet takes the route')
  await button(route, 'Create route').click()
  await expectToast(page, 'Route everything created')
  await expectPath(page, `/projects/${project}/${routers}/via-filter`)
  await expect(row(page, 'everything')).toContainText('IP network10.7.0.0/16')
  await expect(row(page, 'everything')).toContainText('Instancefilter')
  // No subnet uses the router yet.
  await expect(row(page, 'everything')).toContainText('no effect')

  await openIn(page, project, 'vpcs/default/subnets')
  await fromRow(page, 'default', 'Edit')
  const edit = dialog(page, 'Edit subnet')
  await pick(page, edit, 'Custom router', 'via-filter')
  await button(edit, 'Update subnet').click()
  await row(page, 'default').getByRole('link', { name: 'via-filter' }).click()
  await expect(properties(page)).toContainText('default')

  await fromRow(page, 'everything', 'Edit')
  const path = dialog(page, 'Edit route').getByRole('region', { name: 'Path of a packet' })
  // The filter is the only instance: its own packets would come back to it.
  await expect(path.getByRole('list', { name: 'Path' })).toContainText('10.7.0.1')
  const change = dialog(page, 'Edit route')
  await pick(page, change, 'Target type', 'Drop')
  await expect(path.getByRole('status')).toContainText('Dropped')
  await button(change, 'Update route').click()
  await expectToast(page, 'Route everything updated')
  await expect(row(page, 'everything')).toContainText('Drop')
  await fromRow(page, 'everything', 'Delete')
  await confirm(page, 'Delete route')
  await expectToast(page, 'Route everything deleted')
})

test('of the routes of the system router only the targets of the default ones can be changed', async ({
  page,
  own,
}) => {
  const project = await own('system')
  await openIn(page, project, routers)
  await openRowMenu(page, 'system')
  await expectDisabled(menuItem(page, 'Delete'), 'System routers cannot be deleted')
  await page.keyboard.press('Escape')
  await row(page, 'system').getByRole('link', { name: 'system', exact: true }).click()
  await expectDisabled(button(page, 'New route'), 'User-provided routes cannot be added to a system router')
  const ofSubnet = page.getByRole('row', { name: /^default vpc subnet/ })
  for (const one of [ofSubnet, row(page, 'default-v4'), row(page, 'default-v6')])
    await expect(one).toBeVisible()
  await button(ofSubnet, 'Row actions').click()
  await expectDisabled(
    menuItem(page, 'Edit'),
    'Routes of type VPC Subnet within the system router are not modifiable',
  )
  await expectDisabled(menuItem(page, 'Delete'), 'System routes cannot be deleted')
  await page.keyboard.press('Escape')

  await fromRow(page, 'default-v4', 'Edit')
  const edit = dialog(page, 'Edit route')
  await expect(edit).toContainText('Only the target of a default route can be changed')
  await pick(page, edit, 'Target type', 'Drop')
  await button(edit, 'Update route').click()
  await expectToast(page, 'Route default-v4 updated')
  await expect(row(page, 'default-v4')).toContainText('Drop')

  await openIn(page, project, `${routers}/system/routes/default/edit`)
  await expectDisabled(
    button(edit, 'Update route'),
    'Routes of type VPC Subnet within the system router are not modifiable',
  )
})

test('the question before a router is deleted names the subnets that use it', async ({ page, own, api }) => {
  const project = await own('gone')
  const query = { project, vpc: 'default' }
  await api.vpcRouterCreate({ query, body: { name: 'side', description: '' } })
  await api.vpcSubnetUpdate({ params: { subnet: 'default' }, query, body: { customRouter: 'side' } })
  await openIn(page, project, routers)
  await fromRow(page, 'side', 'Edit')
  const edit = dialog(page, 'Edit router')
  await textbox(edit, 'Name').fill('aside')
  await button(edit, 'Update router').click()
  await expectToast(page, 'Router aside updated')
  await expect(row(page, 'aside')).toContainText('default')
  await fromRow(page, 'aside', 'Delete')
  const question = dialog(page, 'Delete router')
  await expect(question).toContainText('Its routes are deleted too')
  await expect(question.getByRole('listitem')).toHaveText(['default'])
  await confirm(page, 'Delete router')
  await expectToast(page, 'Router aside deleted')
  await openIn(page, project, 'vpcs/default/subnets')
  await expect(row(page, 'default')).not.toContainText('aside')

  // A marked route is shown although it is on the second page of its router.
  await api.vpcRouterCreate({ query, body: { name: 'long', description: '' } })
  const toNet = (n: number) => ({ type: 'ip_net' as const, value: `10.${n}.0.0/16` })
  const add = (n: number, destination: ReturnType<typeof toNet> | { type: 'subnet'; value: string }) =>
    api.vpcRouterRouteCreate({
      query: { ...query, router: 'long' },
      body: {
        name: `route-${n}`,
        description: '',
        destination,
        target: { type: 'drop' },
      },
    })
  await Promise.all(Array.from({ length: 51 }, (_, n) => add(100 + n, toNet(100 + n))))
  const last = await add(200, { type: 'subnet', value: 'nowhere' })
  await openIn(page, project, `${routers}/long?marked=${last.id}`)
  await expect(row(page, 'route-200')).toHaveAttribute('aria-current', 'true')
  await expect(row(page, 'route-200')).toContainText('nowherenot found')
  await row(page, 'route-200').getByRole('button', { name: 'no effect' }).hover()
  await expect(page.getByText('no subnet of the VPC has this name')).toBeVisible()
  await button(page, 'prev').click()
  await expect(row(page, 'route-100')).toBeVisible()
})
