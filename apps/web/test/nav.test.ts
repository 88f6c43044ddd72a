import { describe, expect, it } from 'vitest';
import { BAR, currentHref, MORE, NAV_GROUPS } from '../src/frame/nav';

describe('the navigation', () => {
  it('has each page once in the rail, and once in the bar of a phone or in its menu', () => {
    const rail = NAV_GROUPS.flat().map(({ href }) => href);
    expect(new Set(rail).size).toBe(rail.length);
    expect(rail).toEqual(expect.arrayContaining(['/workbench', '/labs/exercises', '/tools', '/sweeps']));
    expect(BAR).toHaveLength(5);
    expect([...BAR, ...MORE].map(({ href }) => href).sort()).toEqual(rail.sort());
  });

  it.each([
    ['/', '/'],
    ['/labs', '/labs'],
    ['/labs/bulk', '/labs'],
    ['/labs/exercises', '/labs/exercises'],
    ['/runs/view', '/runs'],
    ['/workbench/send', '/workbench'],
    ['/set-up', null],
    [null, null],
  ])('marks at %s one page at most: %s', (path, href) => expect(currentHref(path)).toBe(href));
});
