'use client';
import { Command } from 'lucide-react';
import { ConnectionState } from '../connection/connection-state';
import { Endpoints } from '../connection/endpoints';
import { Button } from '../ui/button';
import { Crumbs } from './crumbs';
import { useUi } from './ui-store';

/** Where I am, which endpoints, connection state, command palette. */
export function TopBar() {
  const open = useUi((s) => s.open);
  return (
    <header className="sticky top-0 z-10 flex h-12 items-center gap-4 border-b bg-page px-4 lg:px-6">
      <Crumbs />
      <div className="ml-auto flex min-w-0 items-center gap-4">
        <Endpoints />
        <ConnectionState />
        <Button
          kind="quiet"
          onClick={() => open('palette')}
          shape="tight"
          className="-mr-2"
          aria-label="Commands (Ctrl K)"
        >
          <Command size={15} aria-hidden />
          <span className="num hidden text-12 md:inline">Ctrl K</span>
        </Button>
      </div>
    </header>
  );
}
