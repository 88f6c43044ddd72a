/** Address of the form of a tool, with these fields filled in. */
export function toolHref(
  name: string,
  params: Readonly<Record<string, unknown>> = {},
  link = 'auto',
): string {
  const query = new URLSearchParams(Object.entries(params).map(([key, value]) => [key, String(value)]));
  if (link !== 'auto') query.set('link', link);
  const text = query.toString();
  return `/tools/${name}${text === '' ? '' : `?${text}`}`;
}
