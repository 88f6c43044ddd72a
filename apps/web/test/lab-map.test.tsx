import type { LabDescription, LabProgress } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CATALOG, MAP } from '../src/labs/catalog';
import { mapOf, standingOf } from '../src/model/lab-map';
import { DrawnMap } from '../src/parts/labs/lab-map';

const ran = (...labs: string[]): LabProgress[] =>
  labs.map((lab) => ({ lab, runs: 1, lastRunAt: 1, checks: [] }));
const lab = (id: string, buildsOn: string[], track = 'wire'): LabDescription =>
  ({
    id,
    title: `Title of ${id}`,
    short: id.toUpperCase(),
    question: `What is ${id}?`,
    buildsOn,
    track,
  }) as LabDescription;

describe('the map of labs', () => {
  it('has every lab once, in a row for each track', () => {
    expect(MAP.flatMap(({ places }) => places.map(({ id }) => id))).toEqual(CATALOG.map(({ id }) => id));
    expect(new Set(MAP.map(({ track }) => track)).size).toBe(MAP.length);
  });

  it('builds each lab on labs that exist, and none on itself by a detour', () => {
    const places = new Map(MAP.flatMap((row) => row.places.map((place) => [place.id, place])));
    const below = (id: string, seen: readonly string[] = []): void => {
      expect(seen).not.toContain(id);
      expect(places.has(id), id).toBe(true);
      for (const one of places.get(id)!.buildsOn) below(one, [...seen, id]);
    };
    for (const id of places.keys()) below(id);
  });

  const rows = mapOf([lab('a', []), lab('b', ['a']), lab('c', ['a', 'b'], 'loss')]);
  const [a, b, c] = rows.flatMap((row) => row.places);

  it('knows what is done, what can be understood now, and what builds on labs that are not done', () => {
    expect(rows.map(({ track, places }) => [track, places.length])).toEqual([
      ['On the wire', 2],
      ['Loss and delay', 1],
    ]);
    const of = (progress: LabProgress[]) => [a, b, c].map((place) => standingOf(place!, progress));
    expect(of([])).toEqual(['ready', 'later', 'later']);
    expect(of(ran('a'))).toEqual(['done', 'ready', 'later']);
    expect(of(ran('a', 'b'))).toEqual(['done', 'done', 'ready']);
    // Answered self-checks alone are no run.
    expect(of([{ ...ran('a')[0]!, runs: 0 }])).toEqual(['ready', 'later', 'later']);
  });

  it('shows how far the reader has come, and nothing of it before the agent has said so', () => {
    const html = (progress: LabProgress[] | null) =>
      renderToStaticMarkup(<DrawnMap rows={rows} progress={progress} />);
    expect(html(null)).not.toMatch(/data-standing|labs-done/);
    expect(html(null)).toContain('2 labs');
    const some = html(ran('a'));
    expect([...some.matchAll(/data-standing="(\w+)"/g)].map(([, standing]) => standing)).toEqual([
      'done',
      'ready',
      'later',
    ]);
    expect(some).toContain('1 of 2');
    expect(some).toContain('data-shows="labs-done">1<');
  });
});
