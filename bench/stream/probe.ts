// Scripts that the bench runs in the page.

/** A look at the counter that the page shows. */
export interface Look {
  /** performance.now() of the page, ms. */
  t: number;
  received: number;
  dropped: number;
}

export interface Frames {
  /** Times between two frames, ms, in order. */
  gaps: number[];
  looks: Look[];
}

/** Counts frames from now on, and notes the counter of the completions panel ten times per second. */
export const START = `(() => {
  const probe = (window.probe = { gaps: [], looks: [], on: true });
  let last;
  const frame = (now) => {
    if (!probe.on) return;
    if (last !== undefined) probe.gaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const look = () => {
    const panel = document.querySelector('[data-completions]');
    const seen = panel
      ? { received: Number(panel.dataset.completions), dropped: Number(panel.dataset.dropped) }
      : { received: 0, dropped: 0 };
    probe.looks.push({ t: performance.now(), ...seen });
  };
  look();
  probe.timer = setInterval(look, 100);
})()`;

/** Ends the count, and returns the frames and looks. */
export const STOP = `(() => {
  const { probe } = window;
  probe.on = false;
  clearInterval(probe.timer);
  return { gaps: probe.gaps, looks: probe.looks };
})()`;

/** Unfolds the panels of a run. */
export const OPEN_PANELS = `document.querySelector('#panels > summary').click()`;

/** Scrolls the completions panel into sight: panels out of sight are not drawn. */
export const SHOW_COMPLETIONS = `document.querySelector('[data-panel=completions]').scrollIntoView({ block: 'end' })`;

/** Records that the page's own store has received: the counter on the completions panel, once it no longer changes. */
export const SETTLED = (expected: number): string => `new Promise((done) => {
  const began = performance.now();
  let last = '';
  let since = began;
  const look = () => {
    const panel = document.querySelector('[data-completions]');
    const now = performance.now();
    const text = panel ? panel.dataset.completions + ' ' + panel.dataset.dropped : '';
    if (text !== last) { last = text; since = now; }
    const [received, dropped] = text === '' ? [0, 0] : text.split(' ').map(Number);
    const complete = document.querySelector('main [data-state=done], main [data-state=failed]') !== null;
    if ((complete && received >= ${expected} && now - since > 500) || now - since > 4000) done({ t: since, received, dropped });
    else setTimeout(look, 50);
  };
  look();
})`;

export interface FrameFigures {
  perSecond: number;
  longestMs: number;
  /** Frames that came later than one and a half intervals of 60 Hz, of all. */
  late: number;
  p99Ms: number;
  /** Late frames: the time, ms since the first frame, and the gap since the one before. */
  lateAt: { atMs: number; gapMs: number }[];
}

const INTERVAL_MS = 1000 / 60;

export function frameFigures(gaps: readonly number[]): FrameFigures {
  const sorted = [...gaps].sort((a, b) => a - b);
  const lateAt: FrameFigures['lateAt'] = [];
  let sum = 0;
  for (const gap of gaps) {
    sum += gap;
    if (gap > 1.5 * INTERVAL_MS) lateAt.push({ atMs: Math.round(sum), gapMs: Math.round(gap) });
  }
  return {
    perSecond: (1000 * gaps.length) / sum,
    longestMs: sorted.at(-1) ?? NaN,
    late: lateAt.length / gaps.length,
    p99Ms: sorted[Math.floor(gaps.length * 0.99)] ?? NaN,
    lateAt,
  };
}
