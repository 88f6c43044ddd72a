'use client';
import { Command } from 'cmdk';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { rank } from '../actions/rank';
import { REFERENCE } from '../actions/reference';
import { available } from '../actions/table';
import { useCatalogActions } from '../actions/catalog';
import type { Action } from '../actions/types';
import { Kbd } from '../ui/kbd';
import { itemAfter, useEarlyKeys } from '../actions/early-keys';
import { focusWhenShown, PALETTE_FIELD } from './palette-field';
import { useActionContext } from '../actions/use-action-context';

/** Most matches shown of a search. */
const MOST_FOUND = 50;

/** Groups in their order: actions of the open page come first. */
const GROUPS = ['Run', 'List', 'View', 'Go'] as const;

export default function Palette({ onDone }: { onDone: () => void }) {
  const ctx = useActionContext();
  const [query, setQuery] = useState(() => useEarlyKeys.getState().text);
  const searching = query.trim() !== '';
  const fromCatalog = useCatalogActions(searching);
  const actions = [...available(ctx), ...available(ctx, fromCatalog)].filter(
    (a) => a.name !== 'open-palette',
  );

  const groups = GROUPS.map((group) => ({ group, items: actions.filter((a) => a.group === group) }));
  const found = searching ? rank([...actions, ...REFERENCE], query).slice(0, MOST_FOUND) : null;

  const input = useRef<HTMLInputElement | null>(null);
  const list = useRef<HTMLDivElement>(null);
  // A new search starts at its best match, regardless of the scroll position.
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = 0;
  }, [query]);
  // cmdk selects the first item, so the item that early keys have moved to is kept until the next key or pointer.
  const [early] = useState(() =>
    itemAfter(found ?? groups.flatMap(({ items }) => items), useEarlyKeys.getState().moves),
  );
  const held = useRef(early?.name);
  const [chosen, setChosen] = useState(early?.name ?? '');
  const letGo = () => {
    held.current = undefined;
  };
  useLayoutEffect(() => {
    if (held.current) setChosen(held.current);
  }, [chosen]);

  // The field shown before had the focus. In a newly opened dialog, the dialog sets it. A layout effect, so that no key
  // is lost between the two.
  useLayoutEffect(() => {
    const field = input.current;
    if (field && field !== document.activeElement && field.closest('dialog[open]')) {
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
    }
  }, []);
  useEffect(() => {
    const { entered, clear } = useEarlyKeys.getState();
    clear();
    if (entered && early) perform(early);
    // oxlint-disable-next-line react/exhaustive-deps -- once, for the keys pressed before
  }, []);

  function perform(action: Action) {
    if (action.meaning !== undefined) {
      setQuery(action.label);
      return;
    }
    onDone();
    // The dialog returns the focus first, so that an action may move it.
    queueMicrotask(() => action.perform(ctx));
  }

  return (
    <Command
      label="Command palette"
      loop
      shouldFilter={false}
      value={chosen}
      onValueChange={setChosen}
      onKeyDownCapture={letGo}
      onPointerMoveCapture={letGo}
      className="flex w-full flex-col"
    >
      <Command.Input
        value={query}
        onValueChange={(text) => {
          // Pasted or dictated text comes without a key press.
          letGo();
          setQuery(text);
        }}
        ref={(field) => {
          input.current = field;
          focusWhenShown(field);
        }}
        {...PALETTE_FIELD}
      />
      <Command.List ref={list} className="thin-scroll max-h-[min(24rem,60vh)] overflow-auto p-1">
        <Command.Empty className="px-3 py-4 text-ink-2">Nothing has these words.</Command.Empty>
        {found
          ? found.map((a) => <Item key={a.name} action={a} onSelect={() => perform(a)} />)
          : groups.map(({ group, items }) => {
              if (items.length === 0) return null;
              return (
                <Command.Group
                  key={group}
                  heading={group}
                  className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-ink-3"
                >
                  {items.map((a) => (
                    <Item key={a.name} action={a} onSelect={() => perform(a)} />
                  ))}
                </Command.Group>
              );
            })}
      </Command.List>
    </Command>
  );
}

function Item({ action, onSelect }: { action: Action; onSelect: () => void }) {
  return (
    <Command.Item
      value={action.name}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-[4px] px-3 data-[selected=true]:bg-hover pointer-coarse:min-h-11"
    >
      <span className="min-w-0 py-1">
        {action.label}
        {action.meaning === undefined ? null : (
          <span className="block text-13 text-ink-2">{action.meaning}</span>
        )}
      </span>
      {action.keys ? <Kbd keys={action.keys} /> : null}
    </Command.Item>
  );
}
