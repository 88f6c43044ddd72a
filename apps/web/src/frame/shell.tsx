'use client';
import { ThemeProvider } from 'next-themes';
import type { ReactNode } from 'react';
import { ConnectionKeeper } from '../connection/keeper';
import { NavigationKeeper } from '../connection/navigation-keeper';
import { ConnectionBanner } from '../connection/banner';
import type { LabTitles } from './crumbs';
import { Keyboard } from './keyboard';
import { Overlays } from './overlays';
import { Rail } from './rail';
import { TopBar } from './top-bar';

export function Shell({ labTitles, children }: { labTitles: LabTitles; children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem enableColorScheme={false}>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-30 focus:bg-panel focus:px-3 focus:py-2"
      >
        Skip to the content
      </a>
      <Rail />
      <div className="flex min-h-dvh flex-col max-sm:pb-[calc(3.5rem+env(safe-area-inset-bottom))] sm:pl-14 lg:pl-52 print:pl-0">
        <TopBar labTitles={labTitles} />
        <ConnectionBanner />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 py-6 outline-none lg:px-6">
          {children}
        </main>
      </div>
      <Overlays />
      <Keyboard />
      <NavigationKeeper />
      <ConnectionKeeper />
    </ThemeProvider>
  );
}
