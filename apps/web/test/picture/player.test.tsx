import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PictureStage } from '../../src/model/picture/recording';
import type { PictureState } from '../../src/model/picture/state';
import { Playback, TELLING } from '../../src/parts/picture/playback';
import { PicturePlayer, type PicturePlayerProps } from '../../src/parts/picture/player';
import { StageButtons } from '../../src/parts/picture/controls';
import { actionOf } from '../../src/parts/picture/player-keys';
import { StageTable } from '../../src/parts/picture/stage-table';
import { sentenceOf, timeAt, timeWords } from '../../src/parts/picture/stage-words';
import { POSTED, WRITE, BEYOND } from './states';

const PLAIN = { cut: 0, focus: [] };
const STAGES: readonly PictureStage[] = [
  { name: 'Posted', caption: 'The program posts.', asks: null, from: 0, to: 900, ...PLAIN },
  { name: 'Packets out', caption: 'The device sends.', asks: null, from: 11_200, to: 29_500, ...PLAIN },
  {
    name: 'Refused',
    caption: 'The device refuses.',
    asks: 'Who learns of it?',
    from: 29_500,
    to: 29_500,
    ...PLAIN,
    cut: 1_200_000,
  },
];
const stateAt = (t: number): PictureState => (t < 900 ? POSTED : t < 29_500 ? WRITE : BEYOND);

/** Frames, one by one. */
let frames: ((now: number) => void)[] = [];
let now = 0;
const pass = (ms: number): void => {
  now += ms;
  const due = frames;
  frames = [];
  for (const frame of due) frame(now);
};

beforeEach(() => {
  frames = [];
  now = 0;
  vi.stubGlobal('requestAnimationFrame', (frame: (now: number) => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => (frames = []));
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the buttons of the stages', () => {
  /** Texts that are seen at a class of width. */
  const seen = (count: number, current: number, hidden: RegExp): string[] => {
    const stages = Array.from({ length: count }, (_, i) => ({ ...STAGES[0]!, name: `Stage ${i + 1}` }));
    const html = renderToStaticMarkup(
      <StageButtons stages={stages} current={current} limit={null} onChoose={() => undefined} />,
    );
    return [...html.matchAll(/<span class="([^"]*)">([^<]*)<\/span>/g)].flatMap(([, style = '', text = '']) =>
      hidden.test(style) ? [] : [text],
    );
  };
  const WIDE = /(?<!max-sm:)sr-only/;
  const NARROW = /sr-only/;

  it('have names while these fit, and numbers alone on a phone', () => {
    expect(seen(7, 2, WIDE)).toContain('Stage 7');
    expect(seen(7, 2, NARROW)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });

  it('have some of many numbers, with that of the current stage', () => {
    for (const [hidden, most] of [
      [WIDE, 20],
      [NARROW, 10],
    ] as const) {
      const texts = seen(33, 16, hidden);
      expect(texts).toContain('17');
      expect(texts.length).toBeLessThanOrEqual(most);
      expect(texts.length).toBeGreaterThan(most / 2);
      const numbers = texts.map(Number);
      expect(Math.min(...numbers.slice(1).map((n, i) => n - numbers[i]!))).toBeGreaterThan(1);
    }
  });
});

describe('playing', () => {
  it('takes as long for each stage, and stops at the end', () => {
    const one = new Playback(3);
    one.play();
    pass(2600);
    expect(one.position).toBeCloseTo(1);
    pass(1300);
    expect(one.position).toBeCloseTo(1.5);
    pass(9000);
    expect(one).toMatchObject({ position: 3, stage: 2, playing: false, moving: false });
    one.play();
    expect(one.position).toBe(0);
  });

  it('begins again in a loop', () => {
    const one = new Playback(2);
    one.set({ loop: true });
    one.play();
    pass(5300);
    expect(one).toMatchObject({ position: 0, playing: true });
  });

  it('stops its clock while nobody sees it, and goes on from there', () => {
    const one = new Playback(3);
    one.play();
    pass(1300);
    one.hold(true);
    expect(one).toMatchObject({ playing: true, moving: false });
    pass(60_000);
    one.hold(false);
    pass(1300);
    expect(one.position).toBeCloseTo(1);
  });

  it('steps to the moment that explains a stage', () => {
    const one = new Playback(3, TELLING);
    one.step(1);
    expect(one.position).toBe(1);
    pass(400);
    expect(one.position).toBeGreaterThan(1);
    pass(4000);
    expect(one).toMatchObject({ position: 1 + TELLING, moving: false });
    one.step(-1);
    pass(4000);
    expect(one.position).toBe(TELLING);
    one.step(-1);
    pass(4000);
    expect(one.stage).toBe(0);
  });

  it('jumps where the reader wants no movement, also while it plays', () => {
    const one = new Playback(3, TELLING);
    one.set({ calm: true });
    one.step(1);
    expect(one).toMatchObject({ position: 1 + TELLING, moving: false });
    one.seek(0.6);
    one.play();
    pass(1000);
    expect(one.position).toBe(0.6);
    pass(1600);
    expect(one.position).toBe(1 + TELLING);
  });

  it('shows four frames per second where it is sparing', () => {
    const one = new Playback(3);
    const told = vi.fn();
    one.set({ sparing: true });
    one.play();
    one.subscribe(told);
    for (let i = 0; i < 60; i++) pass(1000 / 60);
    expect(told.mock.calls.length).toBeLessThanOrEqual(4);
    expect(told.mock.calls.length).toBeGreaterThanOrEqual(3);
  });

  it('goes no further than the stage that only a run answers', () => {
    const one = new Playback(3);
    one.set({ limit: 2 });
    one.play();
    pass(20_000);
    expect(one).toMatchObject({ position: 2, stage: 2, asks: true, playing: false });
    one.step(1);
    expect(one.position).toBe(2);
    one.seek(2.7);
    expect(one.position).toBe(2);
    one.go(2);
    expect(one).toMatchObject({ position: 2, moving: false });
    one.step(-1);
    pass(5000);
    expect(one).toMatchObject({ position: 1 + TELLING, asks: false });
  });
});

describe('the keys of the player', () => {
  const press = (key: string, more = {}) => ({
    ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
    ...more,
  });
  it('play, step, go to the ends and show the table', () => {
    expect(
      [' ', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 't'].map((key) => actionOf(press(key), false)),
    ).toEqual([...['play', 'previous', 'next', 'first', 'last', 'table']]);
  });
  it('lose packets only where packets can be lost', () => {
    expect(actionOf(press('x'), true)).toBe('lose');
    expect(actionOf(press('ArrowDown'), true)).toBe('next-packet');
    expect(actionOf(press('x'), false)).toBeNull();
    expect(actionOf(press('ArrowDown'), false)).toBeNull();
  });
  it('leave other keys and those with modifiers to the page', () => {
    expect(actionOf(press('r'), true)).toBeNull();
    expect(actionOf(press('t', { ctrlKey: true }), true)).toBeNull();
  });
});

describe('the words of a stage', () => {
  it('say its recorded time, and that a moment is between two', () => {
    expect(timeWords(STAGES[1]!, 0)).toBe('11.2\u00a0µs');
    expect(timeWords(STAGES[1]!, 0.5)).toBe('between 11.2\u00a0µs and 29.5\u00a0µs');
    expect(timeWords(STAGES[2]!, 0.5)).toBe('29.5\u00a0µs');
    expect(timeAt(STAGES, 1.5)).toBe((11_200 + 29_500) / 2);
    expect(timeAt(STAGES, 3)).toBe(29_500);
    expect(timeAt([], 0)).toBe(0);
  });
  it('are a sentence that gives no answer away', () => {
    expect(sentenceOf('One WRITE', STAGES, 1, false)).toBe(
      'One WRITE, stage 2 of 3: Packets out. The device sends.',
    );
    expect(sentenceOf('One WRITE', STAGES, 2, true)).toContain('Who learns of it?');
    expect(sentenceOf('One WRITE', STAGES, 2, true)).not.toContain('refuses');
  });
});

describe('the player', () => {
  const player = (more: Partial<PicturePlayerProps> = {}): string =>
    renderToStaticMarkup(
      <PicturePlayer title="One WRITE" {...{ stages: STAGES, stateAt }} width={1140} {...more} />,
    );

  it('shows the telling moment of its first stage, with the sentence as the name of the image', () => {
    const html = player();
    expect(html).toContain('aria-label="One WRITE, stage 1 of 3: Posted. The program posts."');
    expect(html).toContain('between 0\u00a0ns and 900\u00a0ns');
    expect(html).toContain('data-lit="program library"');
    expect(player({ start: 'Packets out' })).toContain('stage 2 of 3');
  });

  it('is one stop of Tab besides its buttons Play and Table', () => {
    const html = player();
    expect(html.match(/tabindex="0"/g)).toHaveLength(1);
    const buttons = [...html.matchAll(/<button[^>]*>/g)].map(([tag]) => tag);
    expect(buttons).toHaveLength(7);
    expect(buttons.filter((tag) => !tag.includes('tabindex="-1"'))).toHaveLength(2);
  });

  it('stops before a stage, asks, and tells nothing of what comes', () => {
    const html = player({ stopAt: 'Refused' });
    expect(html).toContain('Who learns of it?');
    expect(html).not.toContain('The device refuses');
    expect(html).toContain('data-question');
    expect(
      renderToStaticMarkup(<StageTable title="" stages={STAGES} stateAt={stateAt} limit={2} />),
    ).not.toContain('Refused');
  });

  it('can be without controls, caption and legend', () => {
    const html = player({ controls: 'none', caption: false });
    expect(html).not.toContain('<button');
    expect(html).not.toContain('picture-stage');
    expect(html).not.toContain('pic-key');
    expect(html).toContain('tabindex="0"');
    expect(player({ controls: 'play' }).match(/<button/g)).toHaveLength(1);
  });

  it('has a table with who works and what changes', () => {
    const html = renderToStaticMarkup(
      <StageTable title="One WRITE" stages={STAGES} stateAt={stateAt} limit={null} />,
    );
    const rows = [...html.matchAll(/<tr class="align-top">(.*?)<\/tr>/g)].map(([, row]) =>
      row!.replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|'),
    );
    expect(rows).toHaveLength(3);
    expect(rows[0]).toBe('|1 Posted|0\u00a0ns |client program, library|The program posts.|');
    expect(rows[1]).toContain('|client device; server device|');
    expect(rows[2]).toContain('|server device|');
    expect(rows[2]).toContain('|29.5\u00a0µs |after 1.20\u00a0ms not shown|');
  });
});
