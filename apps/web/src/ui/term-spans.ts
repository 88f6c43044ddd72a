/** Terms of the glossary found in a text. */
import { TERMS, type TermId } from './terms';

/** Text in which these words are explained as a button each. */
export interface Span {
  text: string;
  id: TermId | null;
}

const FORMS = new Map<string, TermId>(
  (Object.entries(TERMS) as [TermId, { term: string; forms?: readonly string[] }][]).flatMap(
    ([id, { term, forms = [] }]) => [term, ...forms].map((form) => [form, id] as const),
  ),
);

/** A word of small letters may begin a sentence. The longest form wins: a completion queue is no completion. */
const PATTERN = new RegExp(
  `(?<![\\w-])(?:${[...FORMS.keys()]
    .sort((a, b) => b.length - a.length)
    .map((form) => (/^[a-z]/.test(form) ? `[${form[0]}${form[0]!.toUpperCase()}]${form.slice(1)}` : form))
    .join('|')})(?![\\w-]| Lab\\b)`,
  'g',
);

/** The text in pieces, with each term of the field apart where it stands first. */
export function spansOf(text: string, seen: Set<TermId> = new Set()): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(PATTERN)) {
    const word = match[0];
    const id = FORMS.get(word) ?? FORMS.get(word[0]!.toLowerCase() + word.slice(1));
    if (id === undefined || seen.has(id)) continue;
    seen.add(id);
    spans.push({ text: text.slice(from, match.index), id: null }, { text: word, id });
    from = match.index + word.length;
  }
  spans.push({ text: text.slice(from), id: null });
  return spans.filter((span) => span.text !== '');
}
