'use client';
import { Plus } from 'lucide-react';
import { useId, useMemo, useRef, useState, type FormEvent } from 'react';
import { usePageHandle } from '../../actions/page-store';
import { toFailure } from '../../connection/failure';
import { request, useAgent } from '../../connection/store';
import { Button } from '../../ui/button';
import { FailureNote, type Failure } from '../../ui/states';
import { Term } from '../../ui/term';

const box =
  'num w-full rounded-[4px] border border-line-strong bg-panel px-2.5 text-14 pointer-coarse:min-h-11';

/** Pairs with the agent whose join string is pasted. `told`: the page has said already how the other host comes to one. */
export function AddHost({ told = false }: { told?: boolean }) {
  const id = useId();
  const status = useAgent((s) => s.status);
  const connected = status === 'open';
  const joinBox = useRef<HTMLTextAreaElement>(null);
  usePageHandle(useMemo(() => ({ 'add-host': () => joinBox.current?.focus() }), []));
  const [join, setJoin] = useState('');
  const [name, setName] = useState('');
  const [adding, setAdding] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const ready = connected && !adding && join.trim() !== '';

  async function add(e: FormEvent) {
    e.preventDefault();
    if (!ready) return;
    setAdding(true);
    setFailure(null);
    try {
      await request('peers.add', { join, ...(name.trim() === '' ? {} : { name: name.trim() }) });
      setJoin('');
      setName('');
    } catch (error) {
      setFailure(toFailure(error));
    }
    setAdding(false);
  }

  return (
    <section aria-labelledby={`${id}-title`} className="border-t py-4">
      <h2 id={`${id}-title`} className="text-16 font-semibold">
        Add a host
      </h2>
      <p className="prose mt-1 text-ink-2">
        {told ? null : (
          <>
            On the other host, start{' '}
            <code className="num text-13">npx verbslab agent --listen ADDRESS --allow-remote</code>. Then{' '}
            <code className="num text-13">npx verbslab peers invite</code> prints its{' '}
            <Term id="joinString">join string</Term>.{' '}
          </>
        )}
        {told ? 'Treat the join string' : 'Treat it'} like a password: it opens endpoints on that host.
      </p>
      <form onSubmit={(e) => void add(e)} className="mt-3 max-w-[44rem] space-y-3">
        <div>
          <label htmlFor={`${id}-join`} className="font-medium">
            Join string
          </label>
          <textarea
            ref={joinBox}
            id={`${id}-join`}
            rows={3}
            value={join}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={failure !== null}
            onChange={(e) => setJoin(e.target.value)}
            className={`${box} mt-1 block py-2 break-all`}
          />
        </div>
        <div>
          <label htmlFor={`${id}-name`} className="font-medium">
            Name
          </label>{' '}
          <span className="text-13 text-ink-3">optional; defaults to its host name</span>
          <input
            id={`${id}-name`}
            type="text"
            value={name}
            autoComplete="off"
            spellCheck={false}
            onChange={(e) => setName(e.target.value)}
            className={`${box} mt-1 block h-9 max-w-[20rem]`}
          />
        </div>
        <Button type="submit" kind="primary" disabled={!ready}>
          <Plus size={14} aria-hidden />
          {adding ? 'Connecting…' : 'Add'}
        </Button>
        {ready || adding ? null : (
          <span className="ml-3 text-13 text-ink-3">
            {connected
              ? 'Paste a join string first.'
              : status === 'connecting'
                ? 'Connecting to the agent…'
                : 'The connection to the agent is lost.'}
          </span>
        )}
        {failure ? <FailureNote failure={failure} /> : null}
      </form>
    </section>
  );
}
