import { Check, Circle, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { infoToFailure } from '../connection/failure';
import { cn } from '../ui/cn';
import { CopyCommand } from '../ui/copy-command';
import { FailureNote } from '../ui/states';
import { Words } from '../ui/words';
import type { Reached } from './steps';

const MARK = {
  done: { icon: Check, word: 'Done', ink: 'text-ok-ink' },
  waiting: { icon: Circle, word: 'Waiting', ink: 'text-ink-3' },
  failed: { icon: X, word: 'Failed', ink: 'text-error-ink' },
} as const;

/** A step: instructions, commands, and the effect that the agents see. */
export function Step({
  id,
  title,
  where,
  commands = [],
  reached,
  children,
}: {
  id: string;
  title: string;
  /** Machine on which the commands run. */
  where?: string;
  commands?: readonly string[];
  /** Null until the agents were asked. */
  reached: Reached | null;
  children?: ReactNode;
}) {
  const mark = MARK[reached?.state ?? 'waiting'];
  const Icon = mark.icon;
  return (
    <li data-step={id} data-state={reached?.state ?? 'asking'} className="border-t py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-medium">
          {title} {where ? <span className="text-13 font-normal text-ink-3">{where}</span> : null}
        </h3>
        <span className={cn('inline-flex items-center gap-1.5 text-13', mark.ink)}>
          <Icon size={14} aria-hidden />
          {reached ? mark.word : 'Asking…'}
        </span>
      </div>
      {children}
      {commands.length > 0 ? (
        <div className="mt-2 max-w-[44rem]">
          {commands.map((command) => (
            <CopyCommand key={command} command={command} />
          ))}
        </div>
      ) : null}
      {reached ? (
        <p role="status" className="mt-1 max-w-[72ch] text-13 break-words text-ink-2">
          {reached.error ? null : reached.text}
        </p>
      ) : null}
      {reached?.error ? <FailureNote failure={infoToFailure(reached.error)} className="mt-2" /> : null}
      {reached?.findings?.map(({ check, text, why, cure }) => (
        <div
          key={`${check} ${text}`}
          data-finding={check}
          className="mt-2 max-w-[44rem] border-l-2 pl-3 text-13"
        >
          <p className="break-words">
            <Words>{text}</Words>
          </p>
          {why ? (
            <p className="break-words text-ink-2">
              <Words>{why}</Words>
            </p>
          ) : null}
          {cure?.map((line) =>
            /^(sudo|ip|rdma|unshare|UROCE_)\b|^UROCE_/.test(line) ? (
              <CopyCommand key={line} command={line} />
            ) : (
              <p key={line} className="break-words">
                <Words>{line}</Words>
              </p>
            ),
          )}
        </div>
      ))}
    </li>
  );
}
