'use client';
import { Maximize2, Table2, ZoomIn, ZoomOut } from 'lucide-react';
import { Button, IconButton } from '../../ui/button';
import { show, useTimelineStore, zoom } from './timeline-store';

/** Buttons for the actions of the keys. `onFit` is absent while there is nothing to zoom to. */
export function Tools(props: {
  table: boolean;
  /** Name of the whole axis, such as `run`. */
  whole: string;
  onTable: () => void;
  onFit: (() => void) | null;
}) {
  const { table, whole, onTable, onFit } = props;
  const store = useTimelineStore();
  return (
    <div className="flex flex-wrap items-center gap-1 px-1 py-1">
      <IconButton label="Zoom in (W)" onClick={() => zoom(store, 1 / 2)}>
        <ZoomIn size={14} aria-hidden />
      </IconButton>
      <IconButton label="Zoom out (S)" onClick={() => zoom(store, 2)}>
        <ZoomOut size={14} aria-hidden />
      </IconButton>
      <IconButton
        label={`Show the whole ${whole} (Home)`}
        onClick={() => show(store, ...store.getState().domain)}
      >
        <Maximize2 size={14} aria-hidden />
      </IconButton>
      <IconButton label="Table of the figures (T)" aria-pressed={table} onClick={onTable}>
        <Table2 size={14} aria-hidden />
      </IconButton>
      {onFit ? (
        <Button size="small" kind="quiet" onClick={onFit}>
          Zoom to the selection
        </Button>
      ) : null}
      <p className="ml-auto px-2 text-12 text-ink-3 max-lg:hidden">
        Drag marks a stretch, Shift and drag moves the view. Click, then zoom with the wheel or W and S.
      </p>
    </div>
  );
}
