import { text, time } from '../../format/number';
import { Button } from '../../ui/button';

const STEPS = 1000;

/** Choice of the picture's time. `at` null: the latest. */
export function TimeBar(props: {
  /** Time of the picture, and the latest available time, ns. */
  drawn: number;
  end: number;
  live: boolean;
  at: number | null;
  onChange: (at: number | null) => void;
}) {
  const { drawn, end, live, at, onChange } = props;
  const said = text(time(drawn));
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-13">
      <label className="flex min-w-0 flex-1 items-center gap-2">
        <span className="shrink-0 text-ink-3">Time</span>
        <input
          type="range"
          min={0}
          max={STEPS}
          value={end > 0 ? Math.round((Math.min(drawn, end) / end) * STEPS) : STEPS}
          aria-valuetext={said}
          onChange={(e) => {
            const to = Number(e.target.value);
            onChange(live && to === STEPS ? null : (to / STEPS) * end);
          }}
          className="h-8 min-w-24 flex-1 accent-(--accent)"
        />
      </label>
      <span className="shrink-0">
        <span className="text-ink-3">{live && at === null ? 'now, ' : 'as of '}</span>
        <span className="num text-12" data-shows="machine-time" data-at={drawn}>
          {said}
        </span>
      </span>
      {live && at !== null ? (
        <Button size="small" onClick={() => onChange(null)}>
          Follow the run
        </Button>
      ) : null}
    </div>
  );
}
