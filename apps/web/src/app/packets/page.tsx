import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PacketsPage } from '../../packets/packets-page';

export const metadata: Metadata = { title: 'Packets' };

export default function Page() {
  return (
    <Suspense fallback={<h1 className="text-28 font-semibold">Packets</h1>}>
      <PacketsPage />
    </Suspense>
  );
}
