import type { Variation } from '@verbslab/protocol';
import { Button, PRESSED } from '../ui/button';
import { Gloss } from '../ui/gloss';
import type { Draft } from '../model/fields';
import type { LabForm } from '../parts/forms/use-lab-form';

const same = (a: Draft, b: Draft): boolean => Object.keys(a).every((name) => a[name] === b[name]);

/** Parameters under a name: a press sets all of them. */
export function Variations({ list, form }: { list: readonly Variation[]; form: LabForm }) {
  const choices = [{ name: 'defaults', title: 'Defaults', text: undefined, params: {} }, ...list].map(
    (one) => ({ ...one, draft: form.variationDraft(one.params) }),
  );
  const chosen = choices.find((one) => same(one.draft, form.draft));
  return (
    <div className="mb-3">
      <div role="group" aria-label="Variations" className="flex flex-wrap gap-2">
        {choices.map(({ name, title, draft }) => (
          <Button
            key={name}
            aria-pressed={chosen?.name === name}
            className={PRESSED}
            onClick={() => form.setAll(draft)}
          >
            {title}
          </Button>
        ))}
      </div>
      {list.some(({ text }) => text !== undefined) ? (
        // The line is always there, so that the form below does not move.
        <p className="mt-1.5 min-h-5 text-13 text-ink-2">
          {chosen?.text === undefined ? null : <Gloss>{chosen.text}</Gloss>}
        </p>
      ) : null}
    </div>
  );
}
