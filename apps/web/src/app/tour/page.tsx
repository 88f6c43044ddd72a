import type { Metadata } from 'next';
import { Suspense } from 'react';
import { sample } from '../../model/picture/sample';
import { GuidedWrite } from '../../tour/guided-write';
import { TourPage } from '../../tour/tour-page';

export const metadata: Metadata = { title: 'Guided WRITE' };

export default async function Page() {
  const recording = await sample('write');
  return (
    <div className="max-w-[80rem]">
      <h1 className="mb-2 text-20 font-semibold">A guided WRITE</h1>
      <Suspense fallback={<GuidedWrite recording={recording} />}>
        <TourPage recording={recording} />
      </Suspense>
    </div>
  );
}
