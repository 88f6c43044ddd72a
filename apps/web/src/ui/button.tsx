import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export const buttonStyle = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-[4px] font-medium ' +
    'pointer-coarse:min-h-11 disabled:text-ink-3 aria-disabled:text-ink-3',
  {
    variants: {
      kind: {
        primary:
          'bg-accent text-on-accent hover:opacity-90 disabled:bg-hover disabled:opacity-100 aria-disabled:bg-hover aria-disabled:opacity-100',
        plain:
          'border border-line-strong bg-panel hover:bg-hover disabled:border-line disabled:hover:bg-panel',
        quiet: 'text-ink-2 hover:bg-hover hover:text-ink',
        danger: 'border border-error bg-panel text-error-ink hover:bg-error-wash',
      },
      shape: {
        text: 'px-3',
        tight: 'px-2',
        icon: 'w-8 pointer-coarse:w-11',
      },
      size: {
        usual: 'min-h-8 text-13',
        small: 'min-h-6 text-12',
      },
    },
    defaultVariants: { kind: 'plain', shape: 'text', size: 'usual' },
  },
);

/** Look of a button that is one of several choices, or a switch, while it is on. */
export const PRESSED = 'aria-pressed:border-accent aria-pressed:bg-accent-wash';

export type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonStyle>;

export function Button({ className, kind, shape, size, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={cn(buttonStyle({ kind, shape, size }), className)} {...rest} />;
}

/** A button with only a picture: its name is read out and shown as a tooltip by the browser. */
export function IconButton({ label, ...rest }: Omit<ButtonProps, 'shape'> & { label: string }) {
  return <Button shape="icon" kind={rest.kind ?? 'quiet'} aria-label={label} title={label} {...rest} />;
}
