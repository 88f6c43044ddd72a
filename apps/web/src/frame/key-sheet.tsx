'use client';
import { ACTIONS } from '../actions/table';
import { useLetterKeys } from './letter-keys';
import { Kbd } from '../ui/kbd';

const GROUPS = ['Go', 'Run', 'View', 'List'] as const;

export default function KeySheet() {
  const { on, set } = useLetterKeys();
  return (
    <div className="p-5">
      <h2 className="mb-3 text-16 font-semibold">Keys</h2>
      <div className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3 className="mb-1 text-12 text-ink-3">{group}</h3>
            <dl>
              {ACTIONS.filter((a) => a.group === group && a.keys).map((a) => (
                <div key={a.name} className="flex min-h-7 items-center justify-between gap-6">
                  <dt>{a.label}</dt>
                  <dd>
                    <Kbd keys={a.keys!} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="mt-4 flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={on}
          onChange={(e) => set(e.target.checked)}
          className="size-4 accent-accent"
        />
        Letters and signs act without Ctrl
      </label>
      {on ? null : (
        <p className="max-w-[60ch] text-13 text-ink-2">
          Only keys with Ctrl or Cmd, arrows, Space, Enter and Esc act. This sheet is in the command palette.
        </p>
      )}
      <p className="mt-4 max-w-[60ch] text-13 text-ink-2">
        Some keys work only at certain times: <Kbd keys="n" /> in a step-by-step lab, <Kbd keys="Esc" /> while
        a run is in progress. On a Mac, press Cmd in place of Ctrl. In a tree of packet fields, the arrow keys
        move, open and close.
      </p>
    </div>
  );
}
