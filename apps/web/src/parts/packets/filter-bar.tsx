'use client';
import { X } from 'lucide-react';
import { useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { usePageHandle } from '../../actions/page-store';
import { OFFERED } from '../../actions/table';
import { count } from '../../format/number';
import { IconButton } from '../../ui/button';
import { cn } from '../../ui/cn';
import { Words } from '../../ui/words';
import { FilterChoices } from './filter-choices';
import { useEngine } from './use-engine';
import type { Filtering } from './use-filter';

/** Input for a filter: Enter applies it; arrows, Tab and Enter choose from the list; Esc closes the list. */
export function FilterBar(props: {
  filtering: Filtering;
  listed: number;
  unfiltered: number;
  /** What stands at the end of the bar. */
  aside?: ReactNode;
}) {
  const { filtering, listed, unfiltered, aside } = props;
  const { text, apply, error, result } = filtering;
  const [draft, setDraft] = useState(text);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    setDraft(text);
  }
  const input = useRef<HTMLInputElement>(null);
  usePageHandle(
    useMemo(
      () => ({
        'focus-filter': () => input.current?.focus(),
        ...(text === '' ? {} : { 'clear-filter': () => apply('') }),
      }),
      [text, apply],
    ),
  );
  const id = useId();
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(-1);
  const engine = useEngine(caret !== null);
  const completion = engine && caret !== null ? engine.completeFilter(draft, caret) : null;
  const candidates = completion?.candidates ?? [];
  const open = candidates.length > 0;

  function close() {
    setCaret(null);
    setActive(-1);
  }
  function edit() {
    const { value, selectionStart } = input.current!;
    setDraft(value);
    setCaret(selectionStart);
    setActive(-1);
  }
  function choose(i: number) {
    const candidate = candidates[i];
    if (!completion || !candidate || !input.current) return;
    const put = candidate.kind === 'value' || candidate.text === '{' ? candidate.text : `${candidate.text} `;
    const after = draft.slice(completion.to).replace(/^ /, put.endsWith(' ') ? '' : ' ');
    const next = `${draft.slice(0, completion.from)}${put}${after}`;
    const place = completion.from + put.length;
    setDraft(next);
    setCaret(place);
    setActive(-1);
    input.current.focus();
    // React has not updated the input yet, and would move the caret to its end.
    requestAnimationFrame(() => input.current?.setSelectionRange(place, place));
  }
  function submit(next: string) {
    close();
    apply(next.trim());
  }
  function onKeyDown(e: KeyboardEvent) {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      if (!open) setCaret(input.current!.selectionStart);
      else {
        const by = e.key === 'ArrowDown' ? 1 : -1;
        setActive((now) => Math.max(-1, Math.min(candidates.length - 1, now + by)));
      }
    } else if (e.key === 'Tab' && open && !e.shiftKey) choose(Math.max(0, active));
    else if (e.key === 'Enter' && open && active >= 0) choose(active);
    else if (e.key === 'Enter') submit(draft);
    else if (e.key === 'Escape' && open) close();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  const changed = draft.trim() !== text;
  const wrong = error !== null && !changed;
  return (
    <div className="border-b px-2 py-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="relative flex min-w-0 flex-1 basis-72 items-center">
          <input
            ref={input}
            type="text"
            role="combobox"
            aria-label="Filter packets"
            aria-expanded={open}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
            aria-invalid={wrong}
            aria-describedby={`${id}-state`}
            placeholder="Filter: infiniband.bth.opcode == 17 && ip.src == 10.0.0.1"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={draft}
            onChange={edit}
            onClick={edit}
            onBlur={close}
            onKeyDown={onKeyDown}
            className={cn(
              'num h-8 w-full rounded-[4px] border bg-panel pr-9 pl-2 text-13 pointer-coarse:h-11',
              wrong ? 'border-error' : 'border-line-strong',
            )}
          />
          {draft === '' ? null : (
            <IconButton
              label={OFFERED['clear-filter'].label}
              size="small"
              className="absolute right-0.5"
              onClick={() => {
                setDraft('');
                submit('');
              }}
            >
              <X size={14} aria-hidden />
            </IconButton>
          )}
          <FilterChoices id={id} candidates={candidates} active={active} onChoose={choose} />
        </div>
        <p id={`${id}-state`} role="status" className="text-12 text-ink-2">
          {changed ? (
            'Press Enter to apply'
          ) : result ? (
            <span className="num">
              {count(listed)} of {count(unfiltered)} packets
            </span>
          ) : null}
        </p>
        {aside ? <div className="flex gap-1">{aside}</div> : null}
      </div>
      {wrong ? (
        <p role="alert" className="mt-1 text-13">
          <Where text={text} at={error.at} end={error.end} />
          <span className="text-error-ink">
            <Words>{error.what}</Words>
          </span>{' '}
          <Words>{error.cure}</Words> <span className="text-ink-3">All packets are listed.</span>
        </p>
      ) : null}
    </div>
  );
}

/** The filter with its wrong part marked. */
function Where({ text, at, end }: { text: string; at: number; end: number }) {
  return (
    <code className="num block truncate text-12 text-ink-2">
      {text.slice(Math.max(0, at - 40), at)}
      <mark className="bg-error-wash text-error-ink underline decoration-wavy underline-offset-2">
        {text.slice(at, end) || '\u00a0'}
      </mark>
      {text.slice(end)}
    </code>
  );
}
