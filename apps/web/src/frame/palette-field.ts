/** The field of the palette looks the same before and after its code has arrived. */
export const PALETTE_FIELD = {
  placeholder: 'Type a command',
  className: 'h-12 w-full border-b bg-transparent px-4 text-16 outline-none placeholder:text-ink-3',
};

/** Not React's autoFocus, which focuses before the dialog shows: showModal() heeds the attribute only, and would
    focus the box around the field otherwise. */
export const focusWhenShown = (input: HTMLInputElement | null): void => input?.setAttribute('autofocus', '');
