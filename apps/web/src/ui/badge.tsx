import { cn } from './cn';
import { Explained } from './explained';

/** A word in a frame, with its meaning. `explained`: keyboard and touch also get the meaning. */
export function Badge(props: {
  name: string;
  meaning: string;
  explained: boolean;
  className: string;
  /** Attributes that say what it shows. */
  data: Readonly<Record<`data-${string}`, string | undefined>>;
}) {
  const { name, meaning, explained, className, data } = props;
  return (
    <span
      title={explained ? undefined : meaning}
      {...data}
      className={cn('inline-block shrink-0 rounded-[3px] px-1.5 text-12 whitespace-nowrap', className)}
    >
      {explained ? (
        <Explained meaning={meaning} className="cursor-help">
          {name}
        </Explained>
      ) : (
        name
      )}
    </span>
  );
}
