'use client';
import { Command } from 'cmdk';
import { useState } from 'react';
import { rank } from '../actions/rank';
import { available } from '../actions/table';
import { useCatalogueActions } from '../actions/catalogue';
import type { Action } from '../actions/types';
import { Kbd } from '../ui/kbd';
import { useActionContext } from './use-action-context';

/** What the open page can do comes first. */
const GROUPS = ['Run', 'List', 'View', 'Go'] as const;

export default function Palette({ onDone }: { onDone: () => void }) {
  const ctx = useActionContext();
  const fromCatalogue = useCatalogueActions();
  const actions = [...available(ctx), ...available(ctx, fromCatalogue)].filter(
    (a) => a.name !== 'open-palette',
  );

  const [query, setQuery] = useState('');

  function perform(action: Action) {
    onDone();
    // The dialog gives the focus back first, so that an action may move it.
    queueMicrotask(() => action.perform(ctx));
  }

  return (
    <Command label="Command palette" loop shouldFilter={false} className="flex w-full flex-col">
      <Command.Input
        value={query}
        onValueChange={setQuery}
        // Not React's autoFocus, which focuses before the dialog shows: showModal() heeds the attribute only,
        // and would focus the box around this field otherwise.
        ref={(input) => input?.setAttribute('autofocus', '')}
        placeholder="Type a command"
        className="h-12 w-full border-b bg-transparent px-4 text-16 outline-none placeholder:text-ink-3"
      />
      <Command.List className="thin-scroll max-h-[min(24rem,60vh)] overflow-auto p-1">
        <Command.Empty className="px-3 py-4 text-ink-2">No matching command.</Command.Empty>
        {query.trim() !== ''
          ? rank(actions, query).map((a) => <Item key={a.name} action={a} onSelect={() => perform(a)} />)
          : GROUPS.map((group) => {
              const items = actions.filter((a) => a.group === group);
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
      <span>{action.label}</span>
      {action.keys ? <Kbd keys={action.keys} /> : null}
    </Command.Item>
  );
}
