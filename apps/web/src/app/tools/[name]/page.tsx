import { findTool, TOOLS } from '@verbslab/labs/tools';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ToolPage } from '../../../tools/tool-page';

interface Props {
  params: Promise<{ name: string }>;
}

export const dynamicParams = false;

export function generateStaticParams(): { name: string }[] {
  return TOOLS.map(({ name }) => ({ name }));
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: findTool((await params).name)?.title ?? 'Tool' };
}

export default async function Page({ params }: Props) {
  const { name } = await params;
  if (!findTool(name)) notFound();
  return <ToolPage name={name} />;
}
