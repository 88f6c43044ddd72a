'use client';
import { useEffect, useState, type ComponentType } from 'react';
import { Button } from '../ui/button';
import { FailureNote } from '../ui/states';
import { useAgent } from './store';

const Nothing = () => null;

/**
 * Part of a page whose code is loaded when the part is first shown. The code comes from the agent: if the agent is
 * gone, the part is loaded when it is back, and the rest of the page keeps working.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Waiting: ComponentType = Nothing,
  Failed: ComponentType<{ error: unknown }> = NotLoaded,
): ComponentType<P> {
  let Part: ComponentType<P> | null = null;
  return function LatePart(props: P) {
    const status = useAgent((s) => s.status);
    const [state, setState] = useState<'waiting' | 'ready' | { error: unknown }>('waiting');
    useEffect(() => {
      if (Part) return;
      let shown = true;
      load().then(
        (part) => {
          Part = part;
          if (shown) setState('ready');
        },
        (error: unknown) => {
          if (shown) setState({ error });
        },
      );
      return () => {
        shown = false;
      };
    }, [status]);
    if (Part) return <Part {...props} />;
    return typeof state === 'object' && status === 'open' ? <Failed error={state.error} /> : <Waiting />;
  };
}

/** Lazy part without a message on failure, for use beside a part from the same file that shows it. */
export const lazyKey = (load: () => Promise<ComponentType>): ComponentType =>
  lazyPart(load, Nothing, Nothing);

function NotLoaded({ error }: { error: unknown }) {
  return (
    <FailureNote
      failure={{
        what: 'This part of the page could not be loaded.',
        cure: 'Reload the page.',
        detail: error instanceof Error ? error.message : String(error),
      }}
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    />
  );
}
