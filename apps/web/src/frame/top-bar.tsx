'use client';
import { Command } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { ConnectionState } from '../connection/connection-state';
import { Endpoints } from '../connection/endpoints';
import { Button } from '../ui/button';
import { Crumbs, type LabTitles } from './crumbs';
import { useUi } from '../actions/ui-store';

const never = () => () => undefined;
/** Label of the palette's shortcut, with Cmd on a Mac. */
const paletteKeys = (): string => (/^(Mac|iP)/.test(navigator.platform) ? '⌘ K' : 'Ctrl K');

/** Bar with the place in the site, the endpoints, the connection state and the command palette. */
export function TopBar({ labTitles }: { labTitles: LabTitles }) {
  const open = useUi((s) => s.open);
  const keys = useSyncExternalStore(never, paletteKeys, () => 'Ctrl K');
  return (
    <header className="sticky top-0 z-10 flex h-12 print:hidden items-center gap-4 border-b bg-page px-4 lg:px-6">
      <Crumbs labTitles={labTitles} />
      <div className="ml-auto flex min-w-0 items-center gap-4">
        <Endpoints />
        <ConnectionState />
        <Button
          kind="quiet"
          onClick={() => open('palette')}
          shape="tight"
          className="-mr-2"
          aria-label={`Commands ${keys}`}
        >
          <Command size={15} className="md:hidden" aria-hidden />
          <span className="hidden text-12 md:inline">
            Commands <span className="num ml-1 text-ink-2">{keys}</span>
          </span>
        </Button>
      </div>
    </header>
  );
}
