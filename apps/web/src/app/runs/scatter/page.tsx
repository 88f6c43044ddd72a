import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ScatterPage, ScatterSkeleton } from '../../../compare/scatter-page';

export const metadata: Metadata = { title: 'Throughput and cost' };

export default function Page() {
  return (
    <Suspense fallback={<ScatterSkeleton />}>
      <ScatterPage />
    </Suspense>
  );
}
