'use client';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { cn } from './cn';
import { useCopy } from './use-copy';
import { Words } from './words';

/** Empty state: text on the content to come, and an action. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3 py-6 text-ink-2">
      <p className="max-w-[60ch]">{children}</p>
      {action}
    </div>
  );
}

export interface Failure {
  /** Description of the failure. */
  what: string;
  /** Reason, if known. */
  why?: string | undefined;
  /** Action that fixes it. */
  cure?: string | undefined;
  /** Code in the table of errors, if it has one. */
  code?: string | undefined;
  /** Code and raw details for a bug report. */
  detail?: string | undefined;
}

/** Error message: description, reason, action, and details to copy. */
export function FailureNote({
  failure,
  action,
  details = 'Details',
  open = false,
  className,
}: {
  failure: Failure;
  action?: ReactNode;
  /** Label of the details, and true to show them at once. */
  details?: string;
  open?: boolean;
  className?: string;
}) {
  const { said, copy } = useCopy();
  return (
    <div role="alert" className={cn('border-l-2 border-error bg-error-wash px-4 py-3', className)}>
      <p className="font-medium text-error-ink">
        <Words>{failure.what}</Words>
      </p>
      {failure.why ? (
        <p className="mt-1 max-w-[72ch]">
          <Words>{failure.why}</Words>
        </p>
      ) : null}
      {failure.cure ? (
        <p className="mt-1 max-w-[72ch]">
          <Words>{failure.cure}</Words>
        </p>
      ) : null}
      <div className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
        {action}
        {failure.detail ? (
          <details open={open} className="group min-w-0 open:basis-full">
            <summary className="inline-flex min-h-8 items-center text-13 text-ink-2">{details}</summary>
            <div className="mt-1 flex items-start gap-2 max-sm:flex-col">
              <pre
                tabIndex={0}
                role="group"
                aria-label={details}
                className="num thin-scroll max-h-40 overflow-auto text-12 whitespace-pre-wrap"
              >
                {failure.detail}
              </pre>
              <Button
                kind="quiet"
                onClick={() =>
                  void copy(
                    [failure.what, failure.why, failure.cure, failure.detail].filter(Boolean).join('\n'),
                  )
                }
              >
                <Copy size={14} aria-hidden />
                {said || 'Copy'}
              </Button>
            </div>
          </details>
        ) : null}
      </div>
    </div>
  );
}

/** A gray bar in the shape of the content; width and height come from classes. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('skeleton', className)} />;
}
