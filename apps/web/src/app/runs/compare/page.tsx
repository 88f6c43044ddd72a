import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ComparePage, CompareSkeleton } from '../../../compare/compare-page';

export const metadata: Metadata = { title: 'Compare runs' };

export default function Page() {
  return (
    <Suspense fallback={<CompareSkeleton />}>
      <ComparePage />
    </Suspense>
  );
}
