'use client';
import { findTool, installCommand, type Tool } from '@verbslab/labs/tools';
import { Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useState } from 'react';
import { runHref } from '../addresses';
import { usePageHandle } from '../actions/page-store';
import { toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import { ParamForm } from '../parts/forms/param-form';
import { StartFailure } from '../parts/run/start-failure';
import { Button } from '../ui/button';
import { CopyCommand } from '../ui/copy-command';
import { Gloss } from '../ui/gloss';
import { Kbd } from '../ui/kbd';
import type { Failure } from '../ui/states';
import { ToolCommands } from './tool-commands';
import { useMissing } from './use-missing';
import { useToolForm } from './use-tool-form';

/** Page of a tool: its description, its flags as a form, and the resulting commands. */
export function ToolPage({ name }: { name: string }) {
  const tool = useMemo(() => findTool(name)!, [name]);
  const router = useRouter();
  const connected = useAgent((s) => s.status === 'open');
  const missing = useMissing().get(tool.name) ?? [];
  const form = useToolForm(tool);
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { params, link, wrong } = form;
  const ready = connected && !wrong && !starting && missing.length === 0;

  const start = useCallback(async () => {
    setStarting(true);
    setFailure(null);
    try {
      const { run } = await request('tool.start', { tool: tool.name, params, link });
      router.push(runHref(run.id));
    } catch (error) {
      setFailure(toFailure(error));
      setStarting(false);
    }
  }, [tool, params, link, router]);
  const handle = useMemo(() => (ready ? { 'run-lab': () => void start() } : {}), [ready, start]);
  usePageHandle(handle);

  return (
    <article className="max-w-[60rem]">
      <h1 className="text-28 font-semibold wrap-anywhere">{tool.title}</h1>
      <p className="prose mt-2 text-16">
        <Gloss>{tool.summary}</Gloss>
      </p>
      <p className="prose mt-2 text-ink-2">
        <Gloss>{tool.shows}</Gloss>
      </p>
      {missing.length > 0 ? <Install tool={tool} missing={missing} /> : null}
      <form
        className="mt-6"
        onSubmit={(e) => {
          e.preventDefault();
          if (ready) void start();
        }}
      >
        {form.fields.length > 0 ? (
          <>
            <h2 className="mb-2 text-16 font-semibold">Flags</h2>
            <ParamForm
              fields={form.fields}
              draft={form.draft}
              errors={form.errors}
              onChange={form.setField}
            />
          </>
        ) : null}
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <Button type="submit" kind="primary" disabled={!ready}>
            <Play size={14} aria-hidden />
            Run
          </Button>
          <span className="text-13 text-ink-2">
            {starting ? (
              'Starting…'
            ) : !connected ? (
              'Waiting for the agent.'
            ) : wrong ? (
              'Correct the marked fields to run.'
            ) : missing.length > 0 ? (
              'Install the package first.'
            ) : (
              <>
                or press <Kbd keys="r" />
              </>
            )}
          </span>
        </div>
        {failure ? <StartFailure failure={failure} className="mt-4" /> : null}
      </form>
      <ToolCommands tool={tool} params={params} link={link} wrong={wrong} />
    </article>
  );
}

function Install({ tool, missing }: { tool: Tool; missing: readonly string[] }) {
  return (
    <div className="mt-4 max-w-[72ch]" role="status">
      <p className="mb-1">
        <span className="num">{missing.join(' and ')}</span> {missing.length > 1 ? 'are' : 'is'} not installed
        on the agent’s host. Install the package there:
      </p>
      <CopyCommand command={installCommand(tool.package)} />
    </div>
  );
}
