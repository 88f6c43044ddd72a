import { describe, expect, it } from 'vitest';
import { BuildProgress, inWords, ninjaStep, ofFailedTasks } from '../lib/progress.mjs';

describe('what Ninja prints', () => {
  it('is read as files done and their number, also behind a task of turbo', () => {
    expect(ninjaStep('[3/71] Building CXX object a.cc.o')).toEqual({ files: 3, total: 71 });
    expect(ninjaStep('@verbslab/native:build: [70/71] Linking CXX executable b')).toEqual({
      files: 70,
      total: 71,
    });
  });

  it('is not taken from other lines', () => {
    for (const line of ['', 'ninja: no work to do.', 'array[3/71] of', 'warning: see [1/2] below', '[1/2]'])
      expect(ninjaStep(line)).toBeUndefined();
  });
});

describe('a duration in words', () => {
  it('is rounded up to five seconds, and told in minutes from a minute and a half on', () => {
    expect([1, 5000, 5001, 84_000, 91_000, 125_000].map(inWords)).toEqual([
      '5 s',
      '5 s',
      '10 s',
      '85 s',
      '2 min',
      '2 min',
    ]);
  });
});

function watched(terminal: boolean) {
  const lines: string[] = [];
  const clock = { time: 0 };
  const write = (text: string) => lines.push(text);
  const progress = new BuildProgress('native', {
    terminal,
    now: () => clock.time,
    show: write,
    print: write,
  });
  const at = (time: number, text: string) => {
    clock.time = time;
    progress.read(text);
  };
  return { lines, at, progress };
}

describe('the progress of a build', () => {
  it('is replaced in place on a terminal, with the time left once a few files tell how fast it goes', () => {
    const { lines, at, progress } = watched(true);
    at(1000, '[1/41] Building a\n');
    at(2000, '[2/41] Building b\n[3/41] Building c\n');
    at(7000, '[4/41] Building d\n[5/4');
    at(9000, '1] Building e\n');
    progress.end();
    expect(lines).toEqual([
      'native: 1 of 41 files',
      'native: 3 of 41 files',
      'native: 4 of 41 files, about 75 s left',
      'native: 5 of 41 files, about 75 s left',
      '',
    ]);
  });

  it('is a line every ten seconds elsewhere, and none for a short build', () => {
    const { lines, at, progress } = watched(false);
    for (let file = 1; file <= 25; ++file) at(file * 1000, `[${file}/25] Building x\n`);
    progress.end();
    expect(lines).toEqual([
      'native: 10 of 25 files, about 15 s left',
      'native: 20 of 25 files, about 5 s left',
    ]);
  });

  it('begins again with a second build in the same output', () => {
    const { lines, at } = watched(true);
    at(0, '[1/2] Building a\n[2/2] Linking b\n');
    at(50_000, '[1/9] Building c\n');
    at(51_000, '[4/9] Building d\n');
    expect(lines).toEqual([
      'native: 2 of 2 files',
      'native: 1 of 9 files',
      'native: 4 of 9 files, about 5 s left',
    ]);
  });
});

describe('a failed build', () => {
  it('shows the tasks that failed, and what turbo says itself', () => {
    const output = [
      '• Running build in 2 packages',
      'verbslab:build: > tsc',
      '@verbslab/native:build: a.cc:1: error: no such thing',
      'verbslab:build: done',
      '@verbslab/native:build: ERROR: command finished with error: command (native) npm run build exited (1)',
      ' Tasks:    1 successful, 2 total',
    ].join('\n');
    expect(ofFailedTasks(output)).toBe(
      [
        '• Running build in 2 packages',
        '@verbslab/native:build: a.cc:1: error: no such thing',
        '@verbslab/native:build: ERROR: command finished with error: command (native) npm run build exited (1)',
        ' Tasks:    1 successful, 2 total',
      ].join('\n'),
    );
  });
});
