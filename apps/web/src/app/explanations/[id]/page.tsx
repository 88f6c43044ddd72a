import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { ExplanationFrame, ExplanationPage, Waiting } from '../../../explanations/explanation-page';
import { EXPLANATIONS, findExplanation } from '../../../explanations/list';
import { CATALOG } from '../../../labs/catalog';

interface Props {
  params: Promise<{ id: string }>;
}

export const dynamicParams = false;

export function generateStaticParams(): { id: string }[] {
  return EXPLANATIONS.map(({ id }) => ({ id }));
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: findExplanation((await params).id)?.title ?? 'Explanation' };
}

export default async function Page({ params }: Props) {
  const { id } = await params;
  const explanation = findExplanation(id);
  const labTitle = CATALOG.find((lab) => lab.id === explanation?.lab)?.title;
  if (!explanation || labTitle === undefined) notFound();
  const { title, question, text, lab } = explanation;
  return (
    <Suspense
      fallback={
        <ExplanationFrame title={title} question={question} text={text} lab={lab} labTitle={labTitle}>
          <Waiting />
        </ExplanationFrame>
      }
    >
      <ExplanationPage id={id} labTitle={labTitle} />
    </Suspense>
  );
}
