/** HTML of a report as a tree. It is well-formed XML too. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly (Element | string)[];
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
});

type Parsed = Readonly<Record<string, unknown>>;

function nodeOf(parsed: Parsed): Element | string {
  const [name] = Object.keys(parsed).filter((key) => key !== ':@');
  const content = parsed[name!];
  if (name === '#text') return String(content);
  return {
    name: name!,
    attributes: (parsed[':@'] ?? {}) as Record<string, string>,
    children: (content as Parsed[]).map(nodeOf),
  };
}

/** Parses HTML. Throws if it is not well-formed. */
export function treeOf(html: string): Element {
  const text = html.replace(/^<!doctype html>\n/, '');
  const valid = XMLValidator.validate(text, { allowBooleanAttributes: false });
  if (valid !== true) throw new Error(valid.err.msg);
  return nodeOf((parser.parse(text) as Parsed[]).find((one) => 'html' in one)!) as Element;
}

export function all(root: Element): Element[] {
  return [root, ...root.children.flatMap((one) => (typeof one === 'string' ? [] : all(one)))];
}

export const textOf = (node: Element | string): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('');

export const named = (root: Element, name: string): Element[] => all(root).filter((one) => one.name === name);
