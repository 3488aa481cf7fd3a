/** The worker thread that draws SVG as PNG: on the main thread, every picture would hold up all requests. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import type { PngOrder, PngReply } from './png.ts'

/** Pictures yield the processor to pages. On other systems this would slow down the whole process. */
if (process.platform === 'linux') setPriority(0, 10)

parentPort?.on('message', (order: PngOrder) => parentPort?.postMessage(draw(order)))

function draw({ svg, fontFiles, fontFamily, needsSystemFonts }: PngOrder): PngReply {
  try {
    const picture = new Resvg(svg, {
      font: {
        fontFiles: [...fontFiles],
        defaultFontFamily: fontFamily,
        serifFamily: fontFamily,
        // Looking for them takes longer than drawing.
        loadSystemFonts: needsSystemFonts,
      },
      logLevel: 'off',
    }).render()
    const { width, height } = picture
    const png = picture.asPng()
    noteMemory(4 * width * height)
    return { png }
  } catch (error) {
    return { error: String(error) }
  }
}

/** V8 does not know what a picture takes outside its heap. An unused buffer of that size makes it collect in time. */
function noteMemory(bytes: number): void {
  new ArrayBuffer(bytes)
}
