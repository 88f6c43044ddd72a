'use client';
import { Button } from '../ui/button';
import { FailureNote } from '../ui/states';

export default function ErrorPage({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <FailureNote
      failure={{
        what: 'Something went wrong on this page.',
        why: error.message,
        cure: 'Reload it. If it happens again, report the details.',
        detail: error.stack,
      }}
      action={<Button onClick={reset}>Reload</Button>}
    />
  );
}
