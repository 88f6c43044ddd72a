/** HTML and SVG as text that is safe by construction: every string is escaped, whatever its source. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ENTITIES[c]!);

export type Child = Markup | string | number | null | undefined | readonly Child[];

function childText(child: Child): string {
  if (child === null || child === undefined) return '';
  if (child instanceof Markup) return child.text;
  if (typeof child === 'string' || typeof child === 'number') return escapeHtml(String(child));
  return child.map(childText).join('');
}

const VOID = new Set(['br', 'hr', 'meta', 'path', 'rect', 'circle', 'line']);

/** An element. Undefined attributes are left out. */
export function el(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  ...children: readonly Child[]
): Markup {
  const head = Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${escapeHtml(String(value))}"`))
    .join('');
  return new Markup(
    VOID.has(name) ? `<${name}${head}/>` : `<${name}${head}>${childText(children)}</${name}>`,
  );
}
