/** How long a chart of 4 series of 10 000 points takes to draw: that of the gallery, in Chromium without a graphics card. */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from '@playwright/test'
import { root } from '@purlin/tools/repo'
import { launch } from './browser.ts'
import { type Child, startChild } from '@purlin/server/testing/children'
import { median, type Figure } from '../figures.ts'

const rounds = 15

export async function chartFigures(): Promise<Figure[]> {
  // The gallery is no part of what is built, so it comes as for developers.
  const vite = startChild(join(root, 'node_modules/vite/bin/vite.js'), {
    args: [join(root, 'apps/console'), '--port', '0', '--host', '127.0.0.1'],
    env: { ...process.env, NODE_ENV: 'development', NO_COLOR: '1' },
  })
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
    await page.goto(`${await addressOf(vite)}/gallery.html#charts`, { waitUntil: 'networkidle' })
    await page.locator('canvas').last().waitFor()
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await timeToDraw(page))
    return [{ name: '4 × 10 000 points: drawn', value: median(times), unit: 'ms' }]
  } finally {
    await browser.close()
    await vite.stop()
  }
}

async function addressOf({ process: { stdout } }: Child): Promise<string> {
  if (!stdout) throw new Error('the server of the gallery says nothing')
  for await (const line of createInterface({ input: stdout })) {
    const [address] = /http:\/\/[\d.:]+/.exec(line) ?? []
    if (address) return address
  }
  throw new Error('the server of the gallery ended')
}

/** Milliseconds from a press of 'Draw again' until the canvas holds the new pixels. */
const timeToDraw = (page: Page): Promise<number> =>
  page.getByRole('button', { name: 'Draw again' }).evaluate(async (button: HTMLElement) => {
    const canvas = [...document.querySelectorAll('canvas')].at(-1)
    const pixels = canvas?.getContext('2d')
    if (!canvas || !pixels) throw new Error('there is no chart')
    const start = performance.now()
    const isDrawn = new Promise<void>((done) => {
      const draw = pixels.clearRect.bind(pixels)
      // The library begins every drawing by clearing the canvas and ends it in the same task.
      pixels.clearRect = (...area) => {
        draw(...area)
        pixels.clearRect = draw
        queueMicrotask(done)
      }
    })
    button.click()
    await isDrawn
    // Reading a pixel makes the browser execute all queued drawing.
    pixels.getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1)
    return performance.now() - start
  })
