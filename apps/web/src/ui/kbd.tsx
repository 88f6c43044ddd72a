export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {keys.split(' ').map((k) => (
        <kbd key={k} className="num rounded-[3px] border border-line px-1 text-12 text-ink-2">
          {k}
        </kbd>
      ))}
    </span>
  );
}
