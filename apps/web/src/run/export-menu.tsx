'use client';
import { plural } from '@verbslab/labs';
import { isFinal, type RunRecord } from '@verbslab/protocol';
import { FORMAT_LIST, type FormatDescription } from '@verbslab/protocol/export-formats';
import { ChevronDown, Download } from 'lucide-react';
import { useId, useRef, type KeyboardEvent } from 'react';
import { bytes, text } from '../format/number';
import { Button } from '../ui/button';
import { placePopover } from '../ui/place-popover';
import { Words } from '../ui/words';

const WIDTH = 368;
/** Height of a format's entry. */
const ITEM_HEIGHT = 74;

export const exportHref = (run: string, format: string): string => `/api/runs/${run}/export/${format}`;

/** Formats in which a run can be exported now. */
export const formatsOf = ({ state, capture }: RunRecord): FormatDescription[] =>
  FORMAT_LIST.filter(({ id }) =>
    id === 'pcapng' ? (capture?.packets ?? 0) > 0 : id === 'bundle' ? isFinal(state) : true,
  );

/** Meaning of the capture's size. */
const CAPTURE_RECORDS =
  'The size leaves out the headers of the file. A packet that was captured at both ends is in it twice: as sent, and as it arrived.';

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** Menu of the run's formats, with the programs that open their files. */
export function ExportMenu({ record }: { record: RunRecord }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const formats = formatsOf(record);

  /** Arrow keys wrap around. Esc closes the open menu, and only asks about the run when the menu is closed. */
  function onKey(e: KeyboardEvent) {
    if (!menu.current?.matches(':popover-open')) return;
    if (e.key === 'Escape') e.stopPropagation();
    const step = STEPS[e.key];
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    const items = [...menu.current.querySelectorAll<HTMLElement>('[role=menuitem]')];
    items[step(items.indexOf(document.activeElement as HTMLElement), items.length - 1)]?.focus();
  }
  const close = () => menu.current?.hidePopover();

  return (
    <>
      <Button ref={button} aria-haspopup="menu" popoverTarget={id} onKeyDown={onKey}>
        <Download size={14} aria-hidden />
        Export
        <ChevronDown size={14} aria-hidden />
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label="Export the run as"
        onBeforeToggle={() =>
          placePopover(button.current, menu.current, { width: WIDTH, height: formats.length * ITEM_HEIGHT })
        }
        onToggle={(e) => {
          if (e.newState === 'open') menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
        }}
        onKeyDown={onKey}
        className="thin-scroll fixed m-0 max-h-[calc(100dvh-1rem)] max-w-[calc(100%-1rem)] overflow-auto rounded-[4px] border border-line-strong bg-panel p-1 text-13 text-ink shadow-md"
        style={{ width: WIDTH }}
      >
        {formats.map((format) => (
          <a
            key={format.id}
            role="menuitem"
            tabIndex={-1}
            href={exportHref(record.id, format.id)}
            download
            onClick={close}
            className="block rounded-[3px] px-3 py-2 hover:bg-hover focus:bg-hover"
          >
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{format.title}</span>
              {format.id === 'pcapng' ? (
                <span className="num text-12 text-ink-3" data-shows="capture">
                  {plural(record.capture!.packets, 'record')}, {text(bytes(record.capture!.bytes))}
                </span>
              ) : (
                <span className="num text-12 text-ink-3">{format.ending}</span>
              )}
            </span>
            <span className="block text-12 text-ink-2">
              {format.id === 'pcapng' ? `${format.holds} ${CAPTURE_RECORDS}` : format.holds}
            </span>
            <span className="block text-12 text-ink-3">
              Opens in <Words>{format.opens}</Words>
            </span>
          </a>
        ))}
      </div>
    </>
  );
}
