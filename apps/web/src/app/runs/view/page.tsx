import type { Metadata } from 'next';
import { Suspense } from 'react';
import { RunSkeleton } from '../../../run/run-skeleton';
import { Run } from './run';

export const metadata: Metadata = { title: 'Run' };

export default function Page() {
  return (
    <Suspense fallback={<RunSkeleton />}>
      <Run />
    </Suspense>
  );
}
