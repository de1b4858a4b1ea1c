import { chromium } from '@playwright/test'
import { readFileSync } from 'node:fs'
const [out = '', width = '900', ...files] = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: { width: 2 * Number(width), height: 800 } })
await page.setContent(
  `<body style="margin:0;display:flex;flex-wrap:wrap">${files.map((f) => `<img width="${width}" src="data:image/png;base64,${readFileSync(f).toString('base64')}">`).join('')}`,
)
await page.screenshot({ path: out, fullPage: true })
await browser.close()
