import type { Page, TraceEvent } from '../lib/page.js';

/** Time between two movements of a hand, ms: a device reports more often than a screen draws. */
const STEP_MS = 8;
/** Movements whose handling is not waited for: the browser answers some only with its next frame. */
const UNDER_WAY = 8;
/** CSS pixels that one movement pans. */
const STEP_PX = 12;
const CATEGORIES = 'devtools.timeline,disabled-by-default-devtools.timeline.frame,benchmark,toplevel,cc';

export type Hand = 'wheel' | 'drag' | 'keys';

export interface Panned {
  /** Frames per second by requestAnimationFrame. */
  perSecond: number;
  longestMs: number;
  /** Frames that the compositor drew, by the trace. */
  drawnPerSecond: number;
  /** CPU time of the page's main thread per frame drawn, ms. */
  mainMs: number;
  /** CPU time of all of the browser per frame drawn, ms. */
  browserMs: number;
}

/** Place of the pointer: over the ladder. */
interface Place {
  x: number;
  y: number;
  width: number;
}

const COUNT = `(() => {
  const gaps = (window.gaps = []);
  let last;
  const frame = (now) => {
    if (window.gaps !== gaps) return;
    if (last !== undefined) gaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;
const COUNTED = `(() => { const { gaps } = window; window.gaps = null; return gaps; })()`;

const placeOf = (page: Page): Promise<Place> =>
  page.evaluate<Place>(`(() => {
    const surface = document.querySelector('[data-track-kind=ladder] [data-time-surface]');
    const { left, top, width } = surface.getBoundingClientRect();
    return { x: left + width / 2, y: top + 20, width };
  })()`);

/** Shows a part of the capture around its middle. */
export async function zoomTo(page: Page, part: number): Promise<void> {
  await page.evaluate(`document.querySelector('[data-timeline]').focus()`);
  await page.key('Home');
  const { x, y } = await placeOf(page);
  await page.mouse('mouseMoved', x, y);
  // The wheel doubles or halves the stretch in view with every 300 pixels.
  await page.mouse('mouseWheel', x, y, { deltaY: 300 * Math.log2(part) });
}

/** Makes movements one after the other, back and forth: `room` is the number that fits in one direction. */
async function movements(page: Page, hand: Hand, until: number, room: number): Promise<void> {
  const { x, y, width } = await placeOf(page);
  const keys = { forth: 'd', back: 'a' };
  let dragged = x;
  if (hand === 'drag') await page.mouse('mousePressed', x, y, { button: 'left', buttons: 1, shift: true });
  const underWay: Promise<void>[] = [];
  for (let i = 0; performance.now() < until; i++) {
    const forth = Math.floor(i / room) % 2 === 0;
    if (hand === 'wheel')
      underWay.push(page.mouse('mouseWheel', x, y, { deltaX: forth ? STEP_PX : -STEP_PX }));
    else if (hand === 'keys') underWay.push(page.key(forth ? keys.forth : keys.back));
    else {
      dragged += forth ? STEP_PX : -STEP_PX;
      dragged = Math.min(x + width / 2, Math.max(x - width / 2, dragged));
      underWay.push(page.mouse('mouseMoved', dragged, y, { buttons: 1, shift: true }));
    }
    if (underWay.length >= UNDER_WAY) await underWay.shift();
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  await Promise.all(underWay);
  if (hand === 'drag') await page.mouse('mouseReleased', dragged, y, { button: 'left', shift: true });
}

/** CPU time of the thread that runs the page, µs: of its tasks, which a trace has whole. */
function mainThreadMicros(events: readonly TraceEvent[]): number {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const sums = new Map<string, number>();
  for (const { name, ph, pid, tid, tdur } of events) {
    const key = `${pid} ${tid}`;
    if (ph !== 'X' || !name.endsWith('RunTask') || !threads.has(key)) continue;
    sums.set(key, (sums.get(key) ?? 0) + (tdur ?? 0));
  }
  return Math.max(0, ...sums.values());
}

/** Pans for a while. `room`: the part of the capture beside the view, in views. */
export async function pan(page: Page, hand: Hand, ms: number, room: number): Promise<Panned> {
  const { width } = await placeOf(page);
  const step = hand === 'keys' ? 0.2 : STEP_PX / width;
  const steps = Math.max(1, Math.min(60, Math.floor(room / 2 / step)));
  await page.startTrace(CATEGORIES);
  await page.evaluate(COUNT);
  const cpu = page.cpuSeconds();
  const began = performance.now();
  await movements(page, hand, began + ms, steps);
  const seconds = (performance.now() - began) / 1000;
  const browser = page.cpuSeconds() - cpu;
  const gaps = await page.evaluate<number[]>(COUNTED);
  const events = await page.stopTrace();
  const drawn = events.filter(({ name }) => name === 'DrawFrame').length;
  const sum = gaps.reduce((a, b) => a + b, 0);
  return {
    perSecond: (1000 * gaps.length) / sum,
    longestMs: gaps.reduce((a, b) => Math.max(a, b), 0),
    drawnPerSecond: drawn / seconds,
    mainMs: mainThreadMicros(events) / 1000 / drawn,
    browserMs: (1000 * browser) / drawn,
  };
}
