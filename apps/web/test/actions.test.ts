import { describe, expect, it, vi } from 'vitest';
import { ACTIONS, available, match, OFFERED, PREFIXES } from '../src/actions/table';
import type { Action, KeyPress } from '../src/actions/types';
import { context } from './lib/action-context';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  prefix: null,
  mod: false,
  shift: false,
  alt: false,
  ...more,
});

describe('the action table', () => {
  it('has no name twice, and a label and keywords for each', () => {
    expect(new Set(ACTIONS.map((a) => a.name)).size).toBe(ACTIONS.length);
    for (const a of ACTIONS) expect([a.name, a.label !== '' && a.keywords !== '']).toEqual([a.name, true]);
  });

  it('prints keys for exactly the actions that keys reach', () => {
    for (const a of ACTIONS)
      expect([a.name, a.keys !== undefined]).toEqual([a.name, a.keyTest !== undefined]);
  });

  it('lets no two actions that can be offered together answer one key', () => {
    const presses = ['Escape', ' ', 'Delete', '?', '/', ...'abcdefghijklmnopqrstuvwxyz'].flatMap((key) => [
      press(key),
      press(key, { prefix: 'g' }),
      press(key, { mod: true }),
    ]);
    const reached = new Set<string>();
    const keyed = Object.values<Action>(OFFERED).flatMap((a) => (a.keyTest ? [a.name] : []));
    for (const one of keyed)
      for (const other of keyed) {
        const there = available(context({ [one]: vi.fn(), [other]: vi.fn() })).filter((a) => a.keyTest);
        for (const p of presses) {
          const [first, ...others] = there.filter((a) => a.keyTest!(p)).map(({ name }) => name);
          if (first) reached.add(first);
          if (others.length > 0) expect([p.key, first, ...others]).toEqual([p.key, first]);
        }
      }
    // Every key of the table was pressed.
    expect([...reached].sort()).toEqual(ACTIONS.flatMap(({ keys, name }) => (keys ? [name] : [])).sort());
  });

  it('is an action of the page where the page offers its name, and calls what it offers', () => {
    for (const name of Object.keys(OFFERED)) {
      const offer = vi.fn();
      const ctx = context({ [name]: offer });
      available(ctx)
        .find((a) => a.name === name)!
        .perform(ctx);
      expect([name, offer.mock.calls.length]).toEqual([name, 1]);
      if (name !== 'add-host') expect(available(context()).some((a) => a.name === name)).toBe(false);
    }
  });

  it('warns and does nothing where a key has several answers', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const twice = [ACTIONS.find(({ name }) => name === 'run-lab')!, OFFERED['next-step']].map((a) => ({
      ...a,
      keyTest: ({ key }: KeyPress) => key === 'r',
    }));
    const ctx = context({ 'run-lab': vi.fn(), 'next-step': vi.fn() });
    expect(match(press('r'), ctx, false, twice)).toBeNull();
    expect(warn.mock.calls.join()).toContain('run-lab, next-step');
    warn.mockRestore();
  });

  it('starts no action with a key that begins a sequence', () => {
    for (const key of PREFIXES) expect(match(press(key), context(), false)).toBeNull();
  });

  it('goes by two keys', () => {
    const ctx = context();
    match(press('r', { prefix: 'g' }), ctx, false)!.perform(ctx);
    expect(ctx.navigate).toHaveBeenCalledWith('/runs');
  });

  it('does nothing where it makes no sense', () => {
    expect(match(press('r'), context(), false)).toBeNull();
    const run = vi.fn();
    const ctx = context({ 'run-lab': run });
    match(press('r'), ctx, false)!.perform(ctx);
    expect(run).toHaveBeenCalledOnce();
  });

  it('has an action for each host and each panel of the page, and for what each can do now', () => {
    const [checkPath, remove, toggle] = [vi.fn(), vi.fn(), vi.fn()];
    const pin = { id: 'panel-cpu', kind: 'panel', title: 'CPU', pinned: true, toggle } as const;
    const ctx = context({
      hosts: [
        { name: 'a', checkPath, remove },
        { name: 'b', remove },
      ],
      pins: [pin],
    });
    const found = available(ctx).filter(({ name }) => /^(check-path|remove-host|pin)-/.test(name));
    expect(found.map(({ label }) => label)).toEqual([
      'Check the path to a',
      'Remove a',
      'Remove b',
      'Unpin: CPU',
    ]);
    for (const action of found) action.perform(ctx);
    expect([checkPath, remove, toggle].map((f) => f.mock.calls.length)).toEqual([1, 2, 1]);
    expect(available(context()).some(({ name }) => name.startsWith('pin-'))).toBe(false);
  });

  it('adds a host where the form is, and goes there from elsewhere', () => {
    const add = ACTIONS.find(({ name }) => name === 'add-host')!;
    const elsewhere = context();
    add.perform(elsewhere);
    expect(elsewhere.navigate).toHaveBeenCalledWith('/hosts');
    const addHost = vi.fn();
    const there = context({ 'add-host': addHost });
    add.perform(there);
    expect(addHost).toHaveBeenCalledOnce();
    expect(there.navigate).not.toHaveBeenCalled();
  });

  it('leaves text fields alone, except for the palette', () => {
    const ctx = context({ 'run-lab': vi.fn() });
    expect(match(press('r'), ctx, true)).toBeNull();
    expect(match(press('k', { mod: true }), ctx, true)?.name).toBe('open-palette');
  });

  it('keeps its hands off the browser’s own keys', () => {
    const ctx = context({ 'run-lab': vi.fn(), 'toggle-tables': vi.fn() });
    expect(match(press('r', { mod: true }), ctx, false)).toBeNull();
    expect(match(press('t', { mod: true }), ctx, false)).toBeNull();
  });
});
