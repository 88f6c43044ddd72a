import type { Metadata } from 'next';
import { Suspense } from 'react';
import { RunsPage, RunsSkeleton } from '../../runs/runs-page';

export const metadata: Metadata = { title: 'Runs' };

export default function Page() {
  return (
    <Suspense fallback={<RunsSkeleton />}>
      <RunsPage />
    </Suspense>
  );
}
