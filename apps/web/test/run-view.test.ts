import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunView, type Pace } from '../src/connection/run-view';
import { RunModel } from '../src/model/run-model';
import { record, Stream, interval } from './stream';

const FRAME_MS = 1000 / 60;

/** A view over a run, with subscribers that note in which frame they were notified. */
function watched(...paces: Pace[]) {
  const model = new RunModel(record());
  const view = new RunView(model);
  const stream = new Stream();
  const told: { who: string; at: number }[] = [];
  const stops = paces.map((pace, i) =>
    view.subscribe(['series'], () => told.push({ who: `${pace} ${i}`, at: performance.now() }), pace),
  );
  const arrive = () => {
    model.frame(stream.series(1, [interval({ t: performance.now() * 1e6 })]));
    view.poke();
  };
  return { view, told, stops, arrive };
}

/** Data every 10 ms for a while, as a busy run sends it. */
async function stream(arrive: () => void, ms: number): Promise<void> {
  for (let t = 0; t < ms; t += 10) {
    arrive();
    await vi.advanceTimersByTimeAsync(10);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // Frames come at sixty a second, as in a page.
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) =>
    setTimeout(() => draw(performance.now()), FRAME_MS - (performance.now() % FRAME_MS)),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('pace of drawing', () => {
  it('is ten times a second for text, charts and lists, five times for tables', async () => {
    const { told, arrive } = watched('text', 'list', 'table', 'chart');
    await stream(arrive, 3000);
    const count = (who: string) => told.filter((x) => x.who === who).length / 3;
    expect(count('text 0')).toBeGreaterThan(8);
    expect(count('text 0')).toBeLessThanOrEqual(10.4);
    expect(count('list 1')).toBeGreaterThan(8);
    expect(count('chart 3')).toBeGreaterThan(8);
    expect(count('table 2')).toBeGreaterThan(4);
    expect(count('table 2')).toBeLessThanOrEqual(5.4);
  });

  it('is twice a second while the page takes from what is measured', async () => {
    const { view, told, arrive } = watched('text', 'chart', 'table');
    view.setSparing(true);
    await stream(arrive, 3000);
    for (const who of ['text 0', 'chart 1', 'table 2']) {
      const count = told.filter((x) => x.who === who).length;
      expect(count).toBeGreaterThanOrEqual(5);
      expect(count).toBeLessThanOrEqual(7);
    }
    view.setSparing(false);
    await stream(arrive, 1000);
    expect(told.filter((x) => x.who === 'text 0').length).toBeGreaterThan(13);
  });

  it('never draws two costly views in one frame', async () => {
    const { told, arrive } = watched('list', 'table', 'table', 'table');
    await stream(arrive, 3000);
    expect(told.length).toBeGreaterThan(60);
    expect(new Set(told.map((x) => x.at)).size).toBe(told.length);
  });

  it.each(['text', 'chart'] as const)('draws everything of pace %s together', async (pace) => {
    const { told, arrive } = watched(pace, pace, pace);
    await stream(arrive, 1000);
    expect(new Set(told.map((x) => x.at)).size).toBe(told.length / 3);
  });

  it('shows the last of what arrived, and then rests', async () => {
    const { told, arrive } = watched('table');
    arrive();
    await vi.advanceTimersByTimeAsync(20);
    arrive();
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stops while the view is paused and catches up afterwards', async () => {
    const { view, told, arrive } = watched('text');
    await stream(arrive, 200);
    view.setPaused(true);
    const before = told.length;
    await stream(arrive, 500);
    expect(told).toHaveLength(before);
    view.setPaused(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(told).toHaveLength(before + 1);
  });

  it('forgets clients that have disconnected', async () => {
    const { told, stops, arrive } = watched('text', 'table');
    for (const stop of stops) stop();
    await stream(arrive, 300);
    expect(told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
