import { CATEGORIES, CLINIC_CASES } from '@verbslab/labs';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { CATALOG } from '../../../labs/catalog';
import { readingOf } from '../../../labs/reading/reading-of';
import { pathsSample } from '../../../model/paths/sample';
import { sample } from '../../../model/picture/sample';
import { Clinic } from './clinic';
import { Lab } from './lab';

interface Props {
  params: Promise<{ id: string }>;
}

export const dynamicParams = false;

export function generateStaticParams(): { id: string }[] {
  return CATALOG.map((lab) => ({ id: lab.id }));
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  return { title: CATALOG.find((l) => l.id === id)?.title ?? 'Lab' };
}

export default async function Page({ params }: Props) {
  const { id } = await params;
  const lab = CATALOG.find((l) => l.id === id);
  if (!lab) notFound();
  const props = { lab, reading: readingOf(id) };
  const recording = (await sample(lab.picture?.sample ?? 'write')) ?? (await sample('write'));
  return id === 'clinic' ? (
    <Clinic {...props} sample={recording} cases={CLINIC_CASES} categories={CATEGORIES} />
  ) : (
    <Lab {...props} sample={lab.picture?.paths ? await pathsSample() : recording} />
  );
}
