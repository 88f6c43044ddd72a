'use client';
import { Button } from '../ui/button';
import { FailureNote } from '../ui/states';

export default function ErrorPage({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <FailureNote
      failure={{
        what: 'This page made a mistake and stopped.',
        why: error.message,
        cure: 'Draw it again. If that does not help, reload the page and report the details.',
        detail: error.stack,
      }}
      action={<Button onClick={reset}>Draw again</Button>}
    />
  );
}
