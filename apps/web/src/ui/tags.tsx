'use client';
import { MAX_TAGS, TAG_RULE, tagOf } from '@verbslab/protocol';
import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from './button';
import { PageLink } from './page-link';

const CHIP =
  'inline-flex items-center gap-1 rounded-[3px] border border-line-strong text-12 whitespace-nowrap';

/** Tag, as a link to other items with it. */
export function TagLink({ tag, href }: { tag: string; href: string }) {
  return (
    <PageLink
      href={href}
      className={`${CHIP} relative z-1 min-h-6 px-1.5 text-ink-2 hover:bg-hover pointer-coarse:min-h-11`}
    >
      {tag}
    </PageLink>
  );
}

interface TagEditorProps {
  /** Item with the tags, for the names of the controls: `this run`. */
  of: string;
  tags: readonly string[];
  /** Tags for completion. */
  known: readonly string[];
  disabled?: boolean;
  onAdd: (tag: string) => void;
  onRemove: (tag: string) => void;
}

/** Tags as chips, each with a button to remove it, and a box that completes known ones. */
export function TagEditor({ of, tags, known, disabled = false, onAdd, onRemove }: TagEditorProps) {
  const [open, setOpen] = useState(false);
  const adder = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    requestAnimationFrame(() => adder.current?.focus());
  };
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5" data-tags={of}>
      {tags.map((tag) => (
        <span key={tag} className={`${CHIP} pl-1.5 text-ink-2`}>
          {tag}
          <button
            type="button"
            disabled={disabled}
            aria-label={`Remove the tag ${tag} from ${of}`}
            title="Remove"
            onClick={() => onRemove(tag)}
            className="inline-flex size-6 items-center justify-center text-ink-3 hover:bg-hover hover:text-ink pointer-coarse:size-11"
          >
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
      {open ? (
        <TagBox of={of} known={known.filter((tag) => !tags.includes(tag))} onAdd={onAdd} onClose={close} />
      ) : tags.length < MAX_TAGS ? (
        <Button ref={adder} kind="quiet" shape="tight" disabled={disabled} onClick={() => setOpen(true)}>
          <Plus size={14} aria-hidden />
          Tag
        </Button>
      ) : null}
    </span>
  );
}

/** Box for a new tag. Enter or a comma adds the text; Escape and an empty Enter close the box. */
function TagBox(props: {
  of: string;
  known: readonly string[];
  onAdd: (tag: string) => void;
  onClose: () => void;
}) {
  const { of, known, onAdd, onClose } = props;
  const list = useId();
  const rule = useId();
  const [typed, setTyped] = useState('');
  const wrong = typed.trim() !== '' && tagOf(typed) === null;
  const add = (text: string): boolean => {
    const tag = tagOf(text);
    if (tag === null) return false;
    onAdd(tag);
    setTyped('');
    return true;
  };
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <input
        // The person has just opened it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label={`New tag for ${of}`}
        aria-invalid={wrong}
        aria-describedby={wrong ? rule : undefined}
        list={list}
        placeholder="Tag"
        autoComplete="off"
        value={typed}
        onChange={(e) => {
          const { value } = e.target;
          if (value.endsWith(',') && add(value.slice(0, -1))) return;
          // A choice from the list arrives as a whole.
          const chosen = !(e.nativeEvent as InputEvent).inputType?.startsWith('insertText');
          if (chosen && known.includes(value) && add(value)) return;
          setTyped(value);
        }}
        onKeyDown={(e) => {
          if (e.key === 'Enter') {
            e.preventDefault();
            if (typed.trim() === '') onClose();
            else add(typed);
          } else if (e.key === 'Escape') {
            e.stopPropagation();
            onClose();
          }
        }}
        onBlur={() => {
          if (typed.trim() === '' || add(typed)) onClose();
        }}
        className="h-8 w-36 rounded-[4px] border border-line-strong bg-panel px-2 text-13 pointer-coarse:h-11"
      />
      <datalist id={list}>
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {wrong ? (
        <span id={rule} role="alert" className="text-12 text-error-ink">
          {TAG_RULE.charAt(0).toUpperCase() + TAG_RULE.slice(1)}.
        </span>
      ) : null}
    </span>
  );
}
