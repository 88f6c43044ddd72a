import { describe, expect, it, vi } from 'vitest';
import { ACTIONS, available, match, PREFIXES } from '../src/actions/table';
import type { KeyPress, PageHandle } from '../src/actions/types';
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

  it('lets no two actions answer one key where both make sense', () => {
    const everything: PageHandle = {
      run: vi.fn(),
      nextStep: vi.fn(),
      allSteps: vi.fn(),
      cancel: vi.fn(),
      togglePause: vi.fn(),
      toggleTables: vi.fn(),
      exports: { pcapng: vi.fn(), csv: vi.fn(), bundle: vi.fn() },
      resetLayout: vi.fn(),
      openFile: vi.fn(),
      move: vi.fn(),
      selectItem: vi.fn(),
      deleteSelected: vi.fn(),
      writeNote: vi.fn(),
      importRun: vi.fn(),
      compare: vi.fn(),
      addHost: vi.fn(),
      refreshDevices: vi.fn(),
      hosts: [{ name: 'lab2', checkPath: vi.fn(), remove: vi.fn() }],
      focusFilter: vi.fn(),
      clearFilter: vi.fn(),
      clearSelection: vi.fn(),
      pins: [{ id: 'panel-cpu', kind: 'panel', title: 'CPU', pinned: false, toggle: vi.fn() }],
      startSweep: vi.fn(),
      pauseSweep: vi.fn(),
      resumeSweep: vi.fn(),
      cancelSweep: vi.fn(),
      downloadSweep: vi.fn(),
    };
    const ctx = context(everything);
    const presses = ['Escape', ' ', 'Delete', '?', '/', ...'abcdefghijklmnopqrstuvwxyz'].flatMap((k) => [
      press(k),
      press(k, { prefix: 'g' }),
      press(k, { mod: true }),
    ]);
    for (const p of presses) {
      const answering = available(ctx).filter((a) => a.keyTest?.(p));
      expect(answering.map((a) => a.name).slice(1)).toEqual([]);
    }
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
    const ctx = context({ run });
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
    const there = context({ addHost });
    add.perform(there);
    expect(addHost).toHaveBeenCalledOnce();
    expect(there.navigate).not.toHaveBeenCalled();
  });

  it('leaves text fields alone, except for the palette', () => {
    const ctx = context({ run: vi.fn() });
    expect(match(press('r'), ctx, true)).toBeNull();
    expect(match(press('k', { mod: true }), ctx, true)?.name).toBe('open-palette');
  });

  it('keeps its hands off the browser’s own keys', () => {
    const ctx = context({ run: vi.fn(), toggleTables: vi.fn() });
    expect(match(press('r', { mod: true }), ctx, false)).toBeNull();
    expect(match(press('t', { mod: true }), ctx, false)).toBeNull();
  });
});
