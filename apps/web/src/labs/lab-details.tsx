import type { LabDescription } from '@verbslab/protocol';
import { Gloss } from '../ui/gloss';

/** Details of a lab: steps, checks and endpoints. */
export function LabDetails({ lab }: { lab: LabDescription }) {
  return (
    <div className="mt-10 grid gap-x-12 gap-y-8 md:grid-cols-2">
      {lab.steps ? (
        <section aria-labelledby="steps">
          <h2 id="steps" className="text-16 font-semibold">
            Steps
          </h2>
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
        </section>
      ) : null}
      {/* Beside the steps, which are long; side by side without steps. */}
      <div className={lab.steps ? 'space-y-8' : 'contents'}>
        <section aria-labelledby="checked">
          <h2 id="checked" className="text-16 font-semibold">
            Checks
          </h2>
          <ul className="mt-2 max-w-[60ch] list-disc space-y-1 pl-4 text-ink-2">
            {lab.checks.map((c) => (
              <li key={c.id}>
                <Gloss>{c.text}</Gloss>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="roles">
          <h2 id="roles" className="text-16 font-semibold">
            Endpoints
          </h2>
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
        </section>
      </div>
    </div>
  );
}
