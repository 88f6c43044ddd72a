import type { LabDescription } from '@verbslab/protocol';
import { Gloss } from '../ui/gloss';

/** Details of a lab: steps, checks and endpoints. */
export function LabDetails({ lab }: { lab: LabDescription }) {
  return (
    <div className="grid gap-x-12 gap-y-8 pt-1 md:grid-cols-2">
      {lab.steps ? (
        <div>
          <h3 className="text-14 font-semibold">Steps</h3>
          <ol className="mt-2 space-y-2">
            {lab.steps.map((s, i) => (
              <li key={s.id} className="grid grid-cols-[1.5rem_1fr]">
                <span className="num text-ink-3">{i + 1}</span>
                <span className="max-w-[60ch]">
                  <span className="font-medium">{s.title}.</span>{' '}
                  <span className="text-ink-2">
                    <Gloss>{s.text}</Gloss>
                  </span>
                </span>
              </li>
            ))}
          </ol>
        </div>
      ) : null}
      {/* Beside the steps, which are long; side by side without steps. */}
      <div className={lab.steps ? 'space-y-8' : 'contents'}>
        <div>
          <h3 className="text-14 font-semibold">Checks</h3>
          <ul className="mt-2 max-w-[60ch] list-disc space-y-1 pl-4 text-ink-2">
            {lab.checks.map((c) => (
              <li key={c.id}>
                <Gloss>{c.text}</Gloss>
              </li>
            ))}
          </ul>
        </div>
        {lab.roles.length > 0 ? (
          <div>
            <h3 className="text-14 font-semibold">Endpoints</h3>
            <dl className="mt-2 max-w-[60ch] space-y-1">
              {lab.roles.map((r) => (
                <div key={r.name}>
                  <dt className="inline font-medium">{r.title}</dt>
                  {r.text ? (
                    <dd className="inline text-ink-2">
                      : <Gloss>{r.text}</Gloss>
                    </dd>
                  ) : null}
                </div>
              ))}
            </dl>
          </div>
        ) : null}
      </div>
    </div>
  );
}
