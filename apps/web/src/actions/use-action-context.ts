'use client';
import { usePathname, useRouter } from 'next/navigation';
import { useTheme } from 'next-themes';
import { useMemo } from 'react';
import { usePageStore } from './page-store';
import type { ActionContext } from './types';
import { useHeldNavigation } from '../connection/held-navigation';
import { useAgent } from '../connection/store';
import { useUi } from './ui-store';

export function useActionContext(): ActionContext {
  const router = useRouter();
  const path = usePathname();
  const page = usePageStore((s) => s.handle);
  const { resolvedTheme, setTheme } = useTheme();
  const open = useUi((s) => s.open);
  return useMemo(
    () => ({
      path,
      navigate: (href) => {
        const { status, why } = useAgent.getState();
        if (status === 'lost' && why !== 'protocol') useHeldNavigation.setState({ held: { href, name: '' } });
        else router.push(href);
      },
      page,
      dark: resolvedTheme === 'dark',
      setTheme,
      openPalette: () => open('palette'),
      openKeys: () => open('keys'),
    }),
    [path, router, page, resolvedTheme, setTheme, open],
  );
}
