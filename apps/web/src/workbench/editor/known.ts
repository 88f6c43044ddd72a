import type { Details } from '../language/messages';

/** Content of a tooltip with the signature and docs of a name. */
export function knownElement({ signature, docs, tags }: Details): HTMLElement {
  const element = document.createElement('div');
  element.className = 'cm-known';
  const add = (className: string, text: string): void => {
    if (text === '') return;
    const part = document.createElement('div');
    part.className = className;
    part.textContent = text;
    element.append(part);
  };
  add('cm-known-signature', signature);
  add('cm-known-docs', docs);
  add('cm-known-docs', tags.join('\n'));
  return element;
}
