import type { Metadata } from 'next';
import { Suspense } from 'react';
import { SweepsPage } from '../../sweeps/sweeps-page';

export const metadata: Metadata = { title: 'Sweeps' };

export default function Page() {
  return (
    <Suspense fallback={<h1 className="text-28 font-semibold">Sweeps</h1>}>
      <SweepsPage />
    </Suspense>
  );
}
