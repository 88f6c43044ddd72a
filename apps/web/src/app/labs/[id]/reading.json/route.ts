import { CATALOG } from '../../../../labs/catalog';
import { readingOf } from '../../../../labs/reading/reading-of';

export const dynamic = 'force-static';
export const dynamicParams = false;

export const generateStaticParams = (): { id: string }[] => CATALOG.map(({ id }) => ({ id }));

/** Texts of a lab, for the page of its run. */
export async function GET(_: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return Response.json(readingOf((await params).id));
}
